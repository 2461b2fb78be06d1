namespace Postrider.Client.Sessions;

/// <summary>Obtains the credentials of one connection off the receiving thread: it may take long, and that thread serves others too.</summary>
/// <param name="credentials">Provides them.</param>
/// <param name="request">The connection.</param>
/// <param name="option">The name of the option with the credentials.</param>
/// <param name="ct">Cancelled when the attempt to connect is given up.</param>
internal sealed class CredentialsRetrieval(ClientCredentials credentials, CredentialsRequest request, string option, CancellationToken ct)
{
    private readonly CancellationTokenSource _ended = CancellationTokenSource.CreateLinkedTokenSource(ct);

    /// <summary>Begins. The callbacks run on the pool.</summary>
    /// <param name="made">Receives the credentials.</param>
    /// <param name="send">Called after it.</param>
    /// <param name="failed">Receives the error instead of the two calls.</param>
    public void Start(Action<ConnectCredentials> made, Action send, Action<NatsClientException> failed) => _ = Task.Run(() => RunAsync(made, send, failed));

    /// <summary>Cancels it because the connection has ended.</summary>
    public void Cancel() => _ = _ended.CancelAsync();

    private async Task RunAsync(Action<ConnectCredentials> made, Action send, Action<NatsClientException> failed)
    {
        try
        {
            made(await credentials.CreateAsync(request, _ended.Token).ConfigureAwait(false));
            send();
        }
        catch (NatsClientException error)
        {
            failed(error);
        }
        // User code: any exception ends this attempt, and is reported to the caller or by the events.
        catch (Exception error)
        {
            failed(new NatsClientException(NatsErrorCode.CredentialsUnavailable, $"There are no credentials for {request.Server}: {error.Message.TrimEnd('.')}. Check {option}.", error));
        }
    }
}
