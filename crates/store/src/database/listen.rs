//! Listening to other processes.

use super::Server;
use super::error::in_words;
use std::future::poll_fn;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::{AsyncMessage, Client, Connection, Error, NoTls, Socket};

/// How often it is asked whether anybody still wants to know.
const LOOK: Duration = Duration::from_secs(1);

impl Server {
    /// Calls `heard` for whatever other processes tell, and once at the beginning, until the connection is lost or nobody
    /// wants to know any more.
    pub(crate) async fn listen(&self, heard: &dyn Fn(), wanted: &dyn Fn() -> bool) -> Result<(), String> {
        let listening = match &self.tls {
            Some(tls) => match self.config.connect(tls.clone()).await {
                Ok((client, connection)) => follow(client, connection, heard, wanted).await,
                Err(error) => Err(error),
            },
            None => match self.config.connect(NoTls).await {
                Ok((client, connection)) => follow(client, connection, heard, wanted).await,
                Err(error) => Err(error),
            },
        };
        listening.map_err(|error| in_words(&error))
    }
}

async fn follow<S>(
    client: Client,
    mut connection: Connection<Socket, S>,
    heard: &dyn Fn(),
    wanted: &dyn Fn() -> bool,
) -> Result<(), Error>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let asked = client.batch_execute("LISTEN ripplewatch");
    let mut asked = std::pin::pin!(asked);
    let mut begun = false;
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            answer = &mut asked, if !begun => {
                answer?;
                begun = true;
                // Something may have been told before anybody listened.
                heard();
            }
            message = poll_fn(|context| connection.poll_message(context)) => match message {
                Some(Ok(AsyncMessage::Notification(_))) => heard(),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            },
            _ = look.tick() => {}
        }
        if !wanted() {
            return Ok(());
        }
    }
}
