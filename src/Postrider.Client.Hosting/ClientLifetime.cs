using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Postrider.Client.Hosting;

/// <summary>Connects a client before the host starts its services, and drains it after they have stopped.</summary>
internal sealed class ClientLifetime(NatsClient client, ClientRegistration registration, ILoggerFactory? loggers) : IHostedLifecycleService, IDisposable
{
    private readonly ILogger _logger = HostLog.Create(loggers);
    private readonly CancellationTokenSource _stopping = new();
    private Task _opening = Task.CompletedTask;

    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        if (client.Options.RetryFirstConnect)
        {
            _opening = OpenAsync();
            return;
        }

        try
        {
            await client.OpenAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (NatsClientException failure)
        {
            throw new NatsClientException(failure.Code, $"{registration.Title} did not connect: {failure.Message.TrimEnd('.')}.{FixOf(failure)}", failure);
        }
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _opening.ConfigureAwait(false);
        if (client.State == ConnectionState.Closed)
            return;
        try
        {
            await client.DrainAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception incomplete) when (incomplete is OperationCanceledException or NatsClientException)
        {
            HostLog.NotDrained(_logger, registration.Title, incomplete.Message);
        }
    }

    public void Dispose() => _stopping.Dispose();

    private string FixOf(NatsClientException failure)
    {
        var options = client.Options;
        switch (failure.Code)
        {
            // These messages name the option.
            case NatsErrorCode.CredentialsUnavailable or NatsErrorCode.TlsHandshakeFailed or NatsErrorCode.ServerRequirement or NatsErrorCode.InvalidOption:
                return "";
            case NatsErrorCode.AuthorizationFailed:
                return options switch
                {
                    { Credentials: not null } => $" The server rejected the credentials of {registration.NameOf(nameof(options.Credentials))}.",
                    { Token: not null } => $" Check {registration.NameOf(nameof(options.Token))}.",
                    { User: not null } => $" Check {registration.NameOf(nameof(options.User))} and {registration.NameOf(nameof(options.Password))}.",
                    _ when options.Servers.Any(static server => server.Contains('@')) => $" Check the user in the address of {registration.NameOf(nameof(options.Servers))}.",
                    _ => $" The client has no user: set {registration.NameOf(nameof(options.User))} and {registration.NameOf(nameof(options.Password))}, or {registration.NameOf(nameof(options.Token))}.",
                };
            default:
                return $" Check {registration.NameOf(nameof(options.Servers))}, or set {registration.NameOf(nameof(options.RetryFirstConnect))} to start without a server.";
        }
    }

    private async Task OpenAsync()
    {
        try
        {
            await client.OpenAsync(_stopping.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The host stopped before a server was found.
        }
        catch (NatsClientException failure)
        {
            HostLog.NotConnected(_logger, registration.Title, failure.Message);
        }
    }
}
