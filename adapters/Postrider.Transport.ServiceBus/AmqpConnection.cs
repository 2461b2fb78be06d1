using System.Collections.Concurrent;
using Amqp;
using Amqp.Framing;
using Amqp.Types;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.ServiceBus;

/// <summary>One connection to the service, from its opening to its end: the tokens of its entities, and its links.</summary>
/// <remarks>Thread-safe. A lost connection is not opened again; <see cref="ServiceBusConnection"/> opens another one.</remarks>
internal sealed partial class AmqpConnection : IAsyncDisposable
{
    private const string TokenNode = "$cbs";

    private static readonly TimeSpan s_farewell = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_renewalPause = TimeSpan.FromSeconds(5);

    private readonly ConcurrentDictionary<string, Lazy<Task>> _authorized = new(StringComparer.OrdinalIgnoreCase);
    private readonly ConcurrentDictionary<string, Lazy<Task<RequestLinks>>> _nodes = new(StringComparer.OrdinalIgnoreCase);
    private readonly CancellationTokenSource _ended = new();
    private readonly Connection _connection;
    private readonly ServiceBusConnection _owner;

    internal AmqpConnection(Connection connection, ServiceBusConnection owner)
    {
        (_connection, _owner) = (connection, owner);
        connection.AddClosedCallback((_, _) => _ = _ended.CancelAsync());
    }

    internal bool IsOpen => !_connection.IsClosed;

    private TimeSpan Limit => _owner.Options.Retry.AnswerTimeout;

    /// <summary>Opens a link for sending to a queue or topic.</summary>
    internal async Task<(SenderLink Link, long MaxMessageBytes)> OpenSenderAsync(string entity, CancellationToken ct)
    {
        await AuthorizeAsync(entity, ct).ConfigureAwait(false);
        return await AmqpLinks.OpenSenderAsync(_connection, entity, Limit, ct).ConfigureAwait(false);
    }

    /// <summary>Opens a link for receiving.</summary>
    internal async Task<(ReceiverLink Link, Attach Answer)> OpenReceiverAsync(string entity, Attach attach, CancellationToken ct)
    {
        await AuthorizeAsync(entity, ct).ConfigureAwait(false);
        return await AmqpLinks.OpenReceiverAsync(_connection, attach, Limit, ct).ConfigureAwait(false);
    }

    /// <summary>Sends a request to the management node of a queue, topic or subscription.</summary>
    /// <exception cref="AmqpException">The response is an error.</exception>
    internal async Task<Message> AskAsync(string entity, string operation, Map body, CancellationToken ct)
    {
        await AuthorizeAsync(entity, ct).ConfigureAwait(false);
        var links = await NodeAsync($"{entity}/$management", ct).ConfigureAwait(false);
        return await links.AskAsync(operation, body, null, ct).ConfigureAwait(false);
    }

    /// <summary>Ensures that there is a valid token for an entity, and renews it from then on.</summary>
    internal Task AuthorizeAsync(string entity, CancellationToken ct)
    {
        var first = _authorized.GetOrAdd(entity, key => new Lazy<Task>(() => FirstTokenAsync(key)));
        return first.Value.WaitAsync(ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        try
        {
            await _connection.CloseAsync(s_farewell).ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            // It was already lost.
        }
    }

    private async Task FirstTokenAsync(string entity)
    {
        try
        {
            var expiry = await PutTokenAsync(entity).ConfigureAwait(false);
            _ = RenewAsync(entity, expiry);
        }
        catch
        {
            // The next caller requests it again.
            _authorized.TryRemove(entity, out _);
            throw;
        }
    }

    private async Task RenewAsync(string entity, DateTimeOffset expiry)
    {
        var pause = TimeSpan.Zero;
        while (true)
        {
            try
            {
                await Task.Delay(pause > TimeSpan.Zero ? pause : UntilRenewal(expiry), _owner.Time, _ended.Token).ConfigureAwait(false);
                expiry = await PutTokenAsync(entity).ConfigureAwait(false);
                pause = TimeSpan.Zero;
            }
            catch (Exception) when (_ended.IsCancellationRequested)
            {
                return;
            }
            catch (Exception error)
            {
                // The links end when the old token expires; until then, renewal is retried.
                LogNotRenewed(_owner.Logger, entity, error);
                pause = s_renewalPause;
            }
        }
    }

    // When four fifths of the time have passed, which leaves room for several attempts.
    private TimeSpan UntilRenewal(DateTimeOffset expiry)
    {
        var left = (expiry - _owner.Time.GetUtcNow()) * 0.8;
        return left < TimeSpan.FromSeconds(1) ? TimeSpan.FromSeconds(1) : left > TimeSpan.FromDays(1) ? TimeSpan.FromDays(1) : left;
    }

    private async Task<DateTimeOffset> PutTokenAsync(string entity)
    {
        var audience = _owner.Address.AudienceOf(entity);
        var token = await _owner.TokenAsync(audience, _ended.Token).ConfigureAwait(false);
        var links = await NodeAsync(TokenNode, _ended.Token).ConfigureAwait(false);
        await links.AskAsync("put-token", token.Value, new Map { ["type"] = token.Type, ["name"] = audience, ["expiration"] = token.ExpiresAt.UtcDateTime }, _ended.Token).ConfigureAwait(false);
        return token.ExpiresAt;
    }

    private async Task<RequestLinks> NodeAsync(string node, CancellationToken ct)
    {
        var opening = _nodes.GetOrAdd(node, key => new Lazy<Task<RequestLinks>>(() => RequestLinks.OpenAsync(_connection, key, Limit, _ended.Token)));
        try
        {
            var links = await opening.Value.WaitAsync(ct).ConfigureAwait(false);
            if (links.IsOpen)
                return links;
        }
        catch when (!ct.IsCancellationRequested)
        {
            _nodes.TryRemove(KeyValuePair.Create(node, opening));
            throw;
        }

        // The service closes links that have not been used for some minutes.
        _nodes.TryRemove(KeyValuePair.Create(node, opening));
        return await NodeAsync(node, ct).ConfigureAwait(false);
    }

    [LoggerMessage(6, LogLevel.Warning, "The token for '{Entity}' could not be renewed; the attempt will be repeated.")]
    private static partial void LogNotRenewed(ILogger logger, string entity, Exception error);
}
