using System.Text;
using System.Threading.Channels;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Credentials;
using Postrider.Sockets;

namespace Postrider.Broker.Hosting;

/// <summary>Handles requests one after the other on the pool: their work (files, all connections) would block the loop that received them.</summary>
/// <remarks>Thread-safe. The accounts of the requesters take turns. Requests beyond the limit are dropped and logged.</remarks>
/// <param name="context">The broker's context.</param>
internal sealed class ServiceQueue(SessionContext context) : IAsyncDisposable
{
    // Each request may hold a token of a megabyte.
    private const int MaxWaiting = 64;

    private readonly AccountTurns<(ServiceRequest Request, Action<ServiceRequest> Serve)> _waiting = new(MaxWaiting);

    // One entry for each waiting request.
    private readonly Channel<bool> _arrived = Channel.CreateUnbounded<bool>(new UnboundedChannelOptions { SingleReader = true });

    private Task _serving = Task.CompletedTask;

    /// <summary>Begins to handle requests.</summary>
    public void Begin() => _serving = Task.Run(ServeAsync);

    /// <summary>Offers a service.</summary>
    /// <param name="account">The account in which the service is offered.</param>
    /// <param name="subject">Its subject or pattern.</param>
    /// <param name="serve">Handles one request; never called concurrently.</param>
    /// <param name="queueGroup">The queue group, or empty.</param>
    public void Offer(Account account, ReadOnlySpan<byte> subject, Action<ServiceRequest> serve, ReadOnlySpan<byte> queueGroup = default)
        => account.Subscriptions.Add(subject, queueGroup, new Subscription(new Receiver(this, serve, !account.IsSystem), subject, queueGroup));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _arrived.Writer.TryComplete();
        await _serving.ConfigureAwait(false);
    }

    private async Task ServeAsync()
    {
        await foreach (var _ in _arrived.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            if (!_waiting.TryTake(out var waiting)) continue;
            try
            {
                waiting.Serve(waiting.Request);
            }
            catch (Exception error)
            {
                BrokerLog.ServiceFailed(context.Logger, waiting.Request.Subject, error);
            }
        }
    }

    private void Enqueue(string account, ServiceRequest request, Action<ServiceRequest> serve)
    {
        if (_waiting.TryAdd(account, (request, serve))) _arrived.Writer.TryWrite(true);
        else BrokerLog.RequestDropped(context.Logger, request.Subject);
    }

    private sealed class Receiver(ServiceQueue queue, Action<ServiceRequest> serve, bool isImported) : IInternalSubscriber
    {
        public bool IsImported => isImported;

        public void Handle(
            IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
        {
            // A payload that is too large for a token is handled as an invalid token.
            var kept = payload.Length <= NatsJwt.MaxTokenLength ? payload : payload[..NatsJwt.MaxTokenLength];
            queue.Enqueue(publisher?.AccountName ?? "", new ServiceRequest(Encoding.UTF8.GetString(subject), Encoding.UTF8.GetString(replyTo), headers.ToArray(), kept.ToArray()), serve);
        }

        public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => queue.Failed(Encoding.UTF8.GetString(subject), error);
    }

    private void Failed(string subject, Exception error) => BrokerLog.ServiceFailed(context.Logger, subject, error);
}
