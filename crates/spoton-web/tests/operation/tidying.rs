//! What nobody comes back to goes; everything else stays.

use axum::http::StatusCode;
use serde_json::json;
use spoton_web::limits::{IDLE_STAY, Limits, UNMOVED_STAY};
use spoton_web::operation::tidying::tidy;
use spoton_web::tables::now;

use crate::support::{Server, get, post};

#[tokio::test]
async fn sittings_go_when_nobody_comes_back_to_them() {
    let server = Server::start(Limits::default());
    let (unmoved, _) = server.table().await;
    let (moved, token) = server.table().await;
    let moves = post(&format!("/rounds/{moved}/moves"), &json!({ "move": "x2", "expected_seq": 1 }));
    assert_eq!(server.ask(moves.token(&token)).await.status, StatusCode::OK);
    let status = async |id: &str| server.ask(get(&format!("/r/{id}"))).await.status;
    let begun = now();
    // A second for what has happened since.
    for (time, gone) in [
        (begun, 0),
        (begun + UNMOVED_STAY - 60_000, 0),
        (begun + UNMOVED_STAY + 1000, 1),
        (begun + IDLE_STAY - 60_000, 0),
        (begun + IDLE_STAY + 1000, 1),
    ] {
        assert_eq!(tidy(&server.tables, time).await.unwrap(), gone, "{} after the begin", time - begun);
        let there =
            |gone_after| if time > begun + gone_after { StatusCode::NOT_FOUND } else { StatusCode::OK };
        assert_eq!(status(&unmoved).await, there(UNMOVED_STAY));
        assert_eq!(status(&moved).await, there(IDLE_STAY));
    }
    assert!(server.tables.metrics.text().contains("spoton_tidied_sittings_total 2\n"));
}
