using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Client;

namespace Postrider.Transport.Nats;

/// <summary>A client's view of its server, and whether the server responds.</summary>
internal static class NatsHealth
{
    /// <summary>The largest body: the server's maximum message size, unlimited before the first connection, or a lower limit of the options.</summary>
    public static long MaxBodyBytes(NatsClient client, NatsPoison poison)
        => Math.Min(client.ServerInfo?.MaxPayload is > 0 and var bytes ? bytes : long.MaxValue, poison.MaxBodyBytes ?? long.MaxValue);

    /// <summary>Sends a request to the server.</summary>
    /// <param name="client">The client.</param>
    /// <param name="ask">The request.</param>
    /// <param name="patience">How long the server has to respond.</param>
    /// <param name="ct">Cancels it.</param>
    public static async ValueTask<HealthCheckResult> CheckAsync(NatsClient client, Func<NatsClient, CancellationToken, ValueTask> ask, TimeSpan patience, CancellationToken ct)
    {
        if (client.State == ConnectionState.Closed) return HealthCheckResult.Unhealthy("The client is closed.");
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(patience);
        try
        {
            await ask(client, limit.Token).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"{client.ConnectedServer} answers.");
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return HealthCheckResult.Degraded($"The server did not answer within {patience.TotalSeconds} s; the client is {client.State}.");
        }
        catch (NatsClientException failure)
        {
            return client.State == ConnectionState.Connected
                ? HealthCheckResult.Unhealthy(failure.Message, failure)
                : HealthCheckResult.Degraded($"The client is {client.State}: {failure.Message}", failure);
        }
    }
}
