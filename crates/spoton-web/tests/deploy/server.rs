//! A PostgreSQL server with the shipped settings and scripts, laid out as Debian does: settings in one folder, data in
//! another.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use super::cluster::{Cluster, command};
use super::nginx::{deploy, free_port};
use super::support::{as_text, shipped};

const PASSWORD: &str = "not a secret";

/// A server. It may not have data yet.
pub struct Server {
    place: Cluster,
    port: u16,
}

impl Server {
    /// Prepares a server: settings, certificate and scripts.
    pub fn without_data() -> Server {
        let server = Server { place: Cluster::without_data(), port: free_port() };
        let folder = server.place.folder();
        // As PostgreSQL's user, like everything that it reads.
        run("mkdir", &["-p"].into_iter().chain(["etc/conf.d", "lib", "backups"]).collect::<Vec<_>>(), folder);
        for script in fs::read_dir(deploy().join("postgresql")).unwrap() {
            let script = script.unwrap().path();
            fs::copy(&script, folder.join("lib").join(script.file_name().unwrap())).unwrap();
        }
        let here = folder.display();
        let settings = shipped("postgresql/spoton.conf")
            .replace("/etc/spoton/", &format!("{here}/lib/"))
            .replace("/usr/local/lib/spoton/", &format!("{here}/lib/"));
        fs::write(folder.join("etc/conf.d/spoton.conf"), settings).unwrap();
        // Tests run as another user than the server.
        let access =
            shipped("postgresql/pg_hba.conf").replace("10.0.0.0/24", "127.0.0.1/32").replace("peer", "trust");
        fs::write(folder.join("etc/pg_hba.conf"), access).unwrap();
        let main = format!(
            "data_directory = '{here}/data'\nhba_file = '{here}/etc/pg_hba.conf'\nport = {}\n\
             unix_socket_directories = '{here}'\ninclude_dir = 'conf.d'\nlisten_addresses = '127.0.0.1'\n",
            server.port
        );
        fs::write(folder.join("etc/postgresql.conf"), main).unwrap();
        server
    }

    /// Starts the first server: an empty cluster with its roles, its database and its certificate.
    pub async fn first() -> Server {
        let server = Server::without_data();
        server.certify(None);
        let data = server.data();
        run(
            "initdb",
            &["-D", &data, "-U", "postgres", "--auth=trust", "--locale=C", "-E", "UTF8", "--no-sync"],
            Path::new("/"),
        );
        server.control(&["start"]);
        let setup = server.place.folder().join("lib/setup.sql");
        // Nobody follows yet.
        server.script("alone", &[]);
        server.run("psql", &["-v", "ON_ERROR_STOP=1", "-q", "-f", as_text(&setup), "postgres"]);
        for role in ["spoton", "replicator"] {
            server.execute("postgres", &format!("ALTER ROLE {role} PASSWORD '{PASSWORD}'")).await;
        }
        server
    }

    /// Gives it a certificate from another server's authority, or from a new one.
    pub fn certify(&self, authority: Option<&Server>) {
        let lib = |server: &Server, name: &str| server.place.folder().join("lib").join(name);
        if let Some(other) = authority {
            for file in ["ca.pem", "ca.key"] {
                let (from, to) = (lib(other, file), lib(self, file));
                run("cp", &[as_text(&from), as_text(&to)], Path::new("/"));
            }
        }
        let folder = self.place.folder().join("lib");
        self.script("certificate", &[as_text(&folder), "localhost", "127.0.0.1"]);
    }

    /// Makes it a standby of another server.
    pub fn follow(&self, primary: &Server, name: &str) {
        let authority = self.place.folder().join("lib/ca.pem");
        let connection = format!(
            "host=127.0.0.1 port={} user=replicator password='{PASSWORD}' sslmode=verify-full sslrootcert={}",
            primary.port,
            authority.display()
        );
        self.script("standby", &[&connection, name, &self.data()]);
        self.control(&["start"]);
    }

    pub fn data(&self) -> String {
        as_text(&self.place.data()).to_owned()
    }

    pub fn folder(&self) -> &Path {
        self.place.folder()
    }

    /// Runs `pg_ctl`.
    pub fn control(&self, arguments: &[&str]) {
        let (data, etc) = (self.data(), self.place.folder().join("etc/postgresql.conf"));
        let log = self.place.folder().join("log");
        let settings = format!("-c config_file={}", etc.display());
        let mut all = vec!["-w", "-s", "-D", &data, "-l", as_text(&log), "-o", &settings];
        all.extend(arguments);
        self.run("pg_ctl", &all);
    }

    /// Runs a shipped script and returns its output.
    pub fn script(&self, name: &str, arguments: &[&str]) -> String {
        let script = self.place.folder().join("lib").join(name);
        self.run(as_text(&script), arguments)
    }

    /// Runs a program as PostgreSQL's user, with this server as the default one.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.output(program, arguments);
        let log = fs::read_to_string(self.place.folder().join("log")).unwrap_or_default();
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {}\n{log}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn output(&self, program: &str, arguments: &[&str]) -> Output {
        let folder = self.place.folder();
        // A server that `pg_ctl` starts would hold a pipe open, so the output goes into files.
        let [out, error] = ["out", "error"].map(|name| folder.join(name));
        let status = command(program)
            .args(arguments)
            .env("PGHOST", folder)
            .env("PGPORT", self.port.to_string())
            .env("PGUSER", "postgres")
            .env("SPOTON_BACKUPS", folder.join("backups"))
            .stdin(Stdio::null())
            .stdout(fs::File::create(&out).unwrap())
            .stderr(fs::File::create(&error).unwrap())
            .status()
            .unwrap();
        Output { status, stdout: fs::read(out).unwrap(), stderr: fs::read(error).unwrap() }
    }

    async fn connection(&self, database: &str) -> PgConnection {
        let socket = as_text(self.place.folder()).replace('/', "%2F");
        let address = format!("postgres://postgres@{socket}:{}/{database}", self.port);
        PgConnection::connect(&address).await.unwrap()
    }

    pub async fn execute(&self, database: &str, statement: &str) {
        let mut connection = self.connection(database).await;
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Returns the first column of the only row, as text.
    pub async fn text(&self, database: &str, query: &str) -> String {
        let mut connection = self.connection(database).await;
        let query = format!("SELECT ({query})::text");
        let row = sqlx::query(AssertSqlSafe(query)).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        row.try_get::<Option<String>, _>(0).unwrap().unwrap_or_default()
    }

    /// Waits until a query returns this.
    pub async fn until(&self, query: &str, wanted: &str) {
        let begun = std::time::Instant::now();
        loop {
            let found = self.text("postgres", query).await;
            if found == wanted {
                return;
            }
            let patience = crate::operation::program::PATIENCE;
            assert!(begun.elapsed() < patience, "{query} is {found}, not {wanted}");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Every table of a database with the number of its rows and a hash of them.
    pub async fn contents(&self, database: &str) -> Vec<String> {
        let mut connection = self.connection(database).await;
        let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'spoton' ORDER BY 1";
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.unwrap();
        let mut all = Vec::new();
        for table in tables {
            let query = format!(
                "SELECT format('%s: %s rows, %s', '{table}', count(*), md5(string_agg(t::text, '|' ORDER BY t::text)))
                 FROM spoton.{table} t"
            );
            all.push(sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut connection).await.unwrap());
        }
        connection.close().await.unwrap();
        all
    }
}

/// Returns how nodes reach a database of these servers, as in the shipped web.env.
pub fn address(servers: &[&Server], database: &str) -> String {
    let authority = servers[0].place.folder().join("lib/ca.pem");
    let shipped = shipped("systemd/web.env");
    let line = shipped.lines().find_map(|line| line.strip_prefix("SPOTON_DATA=")).unwrap();
    let (_, rest) = line.split_once('@').unwrap();
    let (hosts, rest) = rest.split_once('/').unwrap();
    assert!(hosts.split(',').count() > 1 && rest.starts_with("spoton?"), "{line}");
    let hosts: Vec<String> = servers.iter().map(|server| format!("127.0.0.1:{}", server.port)).collect();
    let rest = rest.replace("/etc/spoton/ca.pem", as_text(&authority)).replacen("spoton", database, 1);
    format!("postgres://spoton@{}/{rest}", hosts.join(","))
}

/// The variable with the password of nodes.
pub fn password() -> (&'static str, &'static str) {
    ("PGPASSWORD", PASSWORD)
}

/// Runs a program as PostgreSQL's user in a folder.
fn run(program: &str, arguments: &[&str], folder: &Path) {
    let mut command = command(program);
    let command = command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    assert!(command.status().unwrap().success(), "{program} {arguments:?} failed");
}
