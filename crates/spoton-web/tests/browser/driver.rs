//! A server under test, and real browsers.

use std::io::{BufRead, BufReader, Read};
use std::net::{IpAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use thirtyfour::prelude::*;

/// A generous timeout.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The polling interval.
const GLANCE: Duration = Duration::from_millis(20);

/// The server program with its own data file.
pub struct Server {
    child: Child,
    folder: PathBuf,
    /// Its address: `http://127.0.0.1:40001`.
    pub address: String,
}

impl Server {
    pub fn start() -> Server {
        Server::at("127.0.0.1:0")
    }

    pub fn at(listen: &str) -> Server {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("spoton-browser-{}-{count}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let (child, address) = run(&folder, listen);
        Server { child, folder, address }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.join("data.db")
    }

    /// The log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Restarts it at the same address.
    pub fn start_again(&mut self) {
        let listen = self.address.trim_start_matches("http://").to_owned();
        (self.child, _) = run(&self.folder, &listen);
    }
}

fn run(folder: &Path, listen: &str) -> (Child, String) {
    let log = std::fs::OpenOptions::new().append(true).create(true).open(folder.join("log")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_spoton-web"))
        .args(["--listen", listen, "--data"])
        .arg(folder.join("data.db"))
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_end_matches('/').to_owned();
    assert!(address.starts_with("http://"), "the first line is the address, not {line:?}");
    (child, address)
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// An address of this machine on its network; `None` if it has none.
pub fn network_address() -> Option<IpAddr> {
    // Sends nothing: connecting a UDP socket only chooses a route.
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_loopback() && !address.is_unspecified())
}

/// A chromedriver process, which starts browsers.
pub struct Chrome {
    child: Child,
    address: String,
}

/// The kind of a browser.
#[derive(Clone, Copy, Default)]
pub struct Kind {
    pub phone: bool,
    pub dark: bool,
    pub without_scripts: bool,
}

pub const PHONE: Kind = Kind { phone: true, dark: false, without_scripts: false };
pub const DARK: Kind = Kind { phone: false, dark: true, without_scripts: false };
pub const WITHOUT_SCRIPTS: Kind = Kind { phone: false, dark: false, without_scripts: true };

impl Chrome {
    pub fn start() -> Chrome {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started.unwrap_or_else(|error| {
            panic!("chromedriver didn't start ({error}); `./test` at the root installs it")
        });
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let port = loop {
            let mut line = String::new();
            assert!(out.read_line(&mut line).unwrap() > 0, "chromedriver exited");
            if let Some((_, port)) = line.trim().trim_end_matches('.').split_once("successfully on port ") {
                break port.to_owned();
            }
        };
        // Drains its output, so that it never blocks on a full pipe.
        std::thread::spawn(move || std::io::copy(&mut out.by_ref(), &mut std::io::sink()));
        Chrome { child, address: format!("http://127.0.0.1:{port}") }
    }

    /// A browser with a fresh profile.
    pub async fn browser(&self, kind: Kind) -> Browser {
        let mut wanted = DesiredCapabilities::chrome();
        let arguments = [
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--window-size=1100,850",
        ];
        for argument in arguments {
            wanted.add_arg(argument).unwrap();
        }
        if rustix::process::getuid().is_root() {
            wanted.add_arg("--no-sandbox").unwrap();
        }
        let mut preferences = json!({ "intl.accept_languages": "en-GB" });
        if kind.without_scripts {
            preferences["profile.managed_default_content_settings.javascript"] = json!(2);
        }
        wanted.add_experimental_option("prefs", preferences).unwrap();
        if kind.phone {
            let phone = json!({ "deviceMetrics": { "width": 360, "height": 640, "pixelRatio": 2.0, "mobile": true } });
            wanted.add_experimental_option("mobileEmulation", phone).unwrap();
        }
        wanted.set_browser_log_level(thirtyfour::common::log::LoggingPrefsLogLevel::All).unwrap();
        let driver = WebDriver::builder(&self.address, wanted).request_timeout(2 * PATIENCE).connect().await;
        let browser = Browser { driver: driver.expect("a browser") };
        if kind.dark {
            let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
            browser.devtools("Emulation.setEmulatedMedia", dark).await;
        }
        browser
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        // On SIGTERM it also ends its browsers.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(GLANCE);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A real browser.
pub struct Browser {
    pub driver: WebDriver,
}

impl Browser {
    pub async fn devtools(&self, method: &'static str, with: Json) -> Json {
        self.driver.cdp().send_raw(method, with).await.unwrap()
    }

    /// Sets the window's width in CSS pixels.
    pub async fn is_as_wide_as(&self, width: u32) {
        let metrics = json!({ "width": width, "height": 640, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Sends a signal to all of this browser's processes.
    pub fn signal(&self, name: &str) {
        let capabilities = self.driver.capabilities();
        let folder =
            capabilities.get("chrome").and_then(|chrome| chrome["userDataDir"].as_str().map(str::to_owned));
        let sent =
            Command::new("pkill").args([&format!("-{name}"), "-f", &folder.expect("its profile")]).status();
        assert!(sent.unwrap().success(), "no process received it");
    }

    pub async fn open(&self, address: &str) {
        self.driver.goto(address).await.unwrap();
    }

    /// Evaluates an expression on the page.
    pub async fn ask(&self, expression: &str) -> Json {
        let said = self.driver.execute(format!("return {expression}"), vec![]).await;
        said.unwrap_or_else(|error| panic!("{expression}: {error}")).json().clone()
    }

    /// Waits until an expression is true on the page. Ignores errors while a page unloads.
    pub async fn wait_for(&self, expression: &str) {
        let begun = Instant::now();
        loop {
            let said = self.driver.execute(format!("return Boolean({expression})"), vec![]).await;
            if said.is_ok_and(|said| said.json() == true) {
                return;
            }
            if begun.elapsed() > PATIENCE {
                let (address, page) = (self.driver.current_url().await, self.text("body").await);
                panic!("timed out: {expression}\nat {address:?}\n{page}");
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Clicks an element. Retries if the page replaced it in the meantime.
    pub async fn press(&self, what: &str) {
        let begun = Instant::now();
        loop {
            let pressed = async { self.driver.find(By::Css(what)).await?.click().await }.await;
            match pressed {
                Ok(()) => return,
                Err(error) if begun.elapsed() > PATIENCE => {
                    panic!("can't click {what}: {error}\n{}", self.text("body").await)
                }
                Err(_) => tokio::time::sleep(GLANCE).await,
            }
        }
    }

    pub async fn fill(&self, what: &str, text: &str) {
        let field = self.driver.find(By::Css(what)).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Replaces the text of a field by typing.
    pub async fn rewrite(&self, what: &str, text: &str) {
        let select = format!("const field = document.querySelector('{what}'); field.focus(); field.select()");
        self.driver.execute(select, vec![]).await.unwrap();
        self.type_keys(text).await;
    }

    /// Types into the focused element.
    pub async fn type_keys(&self, keys: &str) {
        self.driver.action_chain().send_keys(keys).perform().await.unwrap();
    }

    pub async fn text(&self, what: &str) -> String {
        match self.driver.find(By::Css(what)).await {
            Ok(found) => found.text().await.unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    pub async fn has(&self, what: &str) -> bool {
        self.driver.find(By::Css(what)).await.is_ok()
    }

    pub async fn at(&self) -> String {
        self.driver.current_url().await.unwrap().to_string()
    }

    /// The last event that the page shows.
    pub async fn seq(&self) -> u64 {
        let begun = Instant::now();
        loop {
            // The page may be replacing the board.
            let seq = async { self.driver.find(By::Id("board")).await?.attr("data-seq").await }.await;
            match seq {
                Ok(seq) => return seq.unwrap().parse().unwrap(),
                Err(error) if begun.elapsed() > PATIENCE => panic!("no board: {error}"),
                Err(_) => tokio::time::sleep(GLANCE).await,
            }
        }
    }

    /// Asserts that no page so far logged an error or violated the content policy.
    pub async fn has_no_complaints(&self) {
        let log = self.driver.browser_log().await.unwrap();
        let severe: Vec<String> = log
            .iter()
            .filter(|entry| entry.level == "SEVERE" || entry.message.contains("Content Security Policy"))
            .map(|entry| entry.message.clone())
            .collect();
        assert!(severe.is_empty(), "{severe:#?}");
    }

    pub async fn close(self) {
        self.driver.quit().await.unwrap();
    }
}
