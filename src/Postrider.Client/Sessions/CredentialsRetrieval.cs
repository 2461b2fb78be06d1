namespace Postrider.Client.Sessions;

/// <summary>Has the credentials of one connection made, off the receiving thread: it may take long, and that thread reads for others too.</summary>
/// <param name="credentials">Makes them.</param>
/// <param name="request">What they are for.</param>
/// <param name="ct">Cancelled when the attempt to connect is given up.</param>
internal sealed class CredentialsRetrieval(ClientCredentials credentials, CredentialsRequest request, CancellationToken ct)
{
    private readonly CancellationTokenSource _ended = CancellationTokenSource.CreateLinkedTokenSource(ct);

    /// <summary>Begins. What follows is called on the pool.</summary>
    /// <param name="made">Takes the credentials.</param>
    /// <param name="send">Called after that.</param>
    /// <param name="failed">Takes why there are none, instead of the two.</param>
    public void Start(Action<ConnectCredentials> made, Action send, Action<NatsClientException> failed) => _ = Task.Run(() => RunAsync(made, send, failed));

    /// <summary>Gives up, because the connection has ended.</summary>
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
        // The code is the user's: whatever it throws ends this attempt, and the caller or the events tell it.
        catch (Exception error)
        {
            failed(new NatsClientException(NatsErrorCode.CredentialsUnavailable, $"There are no credentials for {request.Server}: {error.Message}", error));
        }
    }
}
