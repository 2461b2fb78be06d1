using System.Collections.Concurrent;
using System.Threading.Channels;
using Amqp;
using Amqp.Framing;
using Amqp.Types;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.ServiceBus;

/// <summary>Receives from a queue, a subscription or one session of it, and renews the locks of unsettled messages.</summary>
/// <remarks>Thread-safe. Ends when its link or the connection does; the listener opens another one.</remarks>
internal sealed partial class EntityReceiver : IAsyncDisposable
{
    // A timer's longest time is 49 days.
    private static readonly TimeSpan s_maxDelay = TimeSpan.FromDays(30);

    private static readonly Symbol s_sessionFilter = "com.microsoft:session-filter";

    // Limited by the credit.
    private readonly Channel<ArrivedMessage> _arrived = Channel.CreateUnbounded<ArrivedMessage>();
    private readonly ConcurrentDictionary<ArrivedMessage, bool> _unsettled = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly ServiceBusConnection _owner;
    private readonly AmqpConnection _connection;
    private readonly ReceiverLink _link;
    private readonly string _entity;
    private readonly int _prefetch;
    private readonly LockRenewal _renewal;
    private int _credit;
    private int _returned;
    private int _held;

    private EntityReceiver(ServiceBusConnection owner, AmqpConnection connection, ReceiverLink link, string entity, int prefetch, string? session, DateTimeOffset? sessionLock)
    {
        (_owner, _connection, _link, _entity, _prefetch, _credit) = (owner, connection, link, entity, prefetch, prefetch);
        Session = session;
        _renewal = new LockRenewal(owner, connection, entity, session, sessionLock, _unsettled, this, _ended.Token);
        link.AddClosedCallback((_, error) => End(error?.Description ?? error?.Condition ?? "the connection ended"));
        link.Start(0, OnMessage);
        link.SetCredit(prefetch, CreditMode.Manual);
    }

    internal ChannelReader<ArrivedMessage> Arrived => _arrived.Reader;

    /// <summary>The session; null for all messages of a source without sessions.</summary>
    internal string? Session { get; }

    internal bool IsAlive => EndedBy is null;

    internal string? EndedBy { get; private set; }

    /// <summary>Opens a link to a source.</summary>
    /// <exception cref="AmqpException">The service rejects it, or has no session with messages.</exception>
    internal static async Task<EntityReceiver> OpenAsync(ServiceBusConnection owner, string entity, bool nextSession, int prefetch, CancellationToken ct)
    {
        var connection = await owner.OpenAsync(ct).ConfigureAwait(false);
        var source = new Source { Address = entity };
        var attach = new Attach { Source = source, Target = new Target { Address = "postrider" }, SndSettleMode = SenderSettleMode.Unsettled, RcvSettleMode = ReceiverSettleMode.First };
        if (nextSession)
        {
            source.FilterSet = new Map { [s_sessionFilter] = null };
            attach.Properties = new Fields { [(Symbol)"com.microsoft:timeout"] = (uint)(owner.Options.Retry.AnswerTimeout / 2).TotalMilliseconds };
        }

        var (link, answer) = await connection.OpenReceiverAsync(entity, attach, ct).ConfigureAwait(false);
        var filter = (answer.Source as Source)?.FilterSet?.FirstOrDefault(static pair => s_sessionFilter.Equals(pair.Key)).Value;
        var session = (filter is DescribedValue described ? described.Value : filter) as string;
        if (nextSession && session is null)
        {
            await AmqpLinks.CloseAsync(link).ConfigureAwait(false);
            throw new AmqpException(ErrorCode.NotAllowed, $"'{entity}' has no sessions: it was created without them.");
        }

        var until = answer.Properties?.FirstOrDefault(static pair => pair.Key?.ToString() == "com.microsoft:locked-until-utc").Value;
        return new EntityReceiver(owner, connection, link, entity, prefetch, session, LockedUntil(until));
    }

    /// <summary>Lets the service send one more message; called when one has been settled.</summary>
    internal void AddCredit()
    {
        // A quarter of the credit at a time, because each update is a frame.
        var returned = Interlocked.Increment(ref _returned);
        if (returned < Math.Max(1, _prefetch / 4) || _stopping.IsCancellationRequested || Interlocked.CompareExchange(ref _returned, 0, returned) != returned)
            return;
        Interlocked.Add(ref _credit, returned);
        try
        {
            _link.SetCredit(returned, CreditMode.Manual);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            // The next receiver starts with all of it.
        }
    }

    internal void Accept(ArrivedMessage message) => Settle(message, () => _link.Accept(message.Message));

    /// <summary>Returns a message without counting an attempt.</summary>
    internal void Release(ArrivedMessage message) => Settle(message, () => _link.Release(message.Message));

    /// <summary>Moves a message to the source's dead-letter queue.</summary>
    internal void DeadLetter(ArrivedMessage message, Fields info)
        => Settle(message, () => _link.Reject(message.Message, new Error("com.microsoft:dead-letter") { Info = info }));

    /// <summary>Returns a message as a failed attempt.</summary>
    internal void Abandon(ArrivedMessage message) => Settle(message, () => _link.Modify(message.Message, deliveryFailed: true));

    /// <summary>Returns a message as a failed attempt after a delay, and keeps its lock until then.</summary>
    /// <param name="message">The message.</param>
    /// <param name="delay">The delay, at most 30 days; cut short when the receiver stops.</param>
    internal void AbandonAfter(ArrivedMessage message, TimeSpan delay)
    {
        Interlocked.Increment(ref _held);
        _ = HoldAsync();

        async Task HoldAsync()
        {
            try
            {
                await Task.Delay(delay < s_maxDelay ? delay : s_maxDelay, _owner.Time, _stopping.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                // The listener stops: another one need not wait for the rest of the delay.
            }

            try
            {
                Abandon(message);
            }
            catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
            {
                // The lock expires.
                LogNotAbandoned(_owner.Logger, _entity, gone);
            }

            Interlocked.Decrement(ref _held);
            AddCredit();
        }
    }

    /// <summary>Tells the service to send no more messages, and waits until those in transit have arrived. They remain to be settled.</summary>
    internal async ValueTask StopAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        if (!IsAlive)
            return;
        try
        {
            _link.SetCredit(Math.Max(0, Volatile.Read(ref _credit)), CreditMode.Drain);
            // Its response arrives after messages that were in transit.
            await _connection.AskAsync(_entity, "com.microsoft:peek-message", new Map { ["from-sequence-number"] = long.MaxValue, ["message-count"] = 1 }, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            // Messages that still arrive are locked until their lock expires.
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await AmqpLinks.CloseAsync(_link).ConfigureAwait(false);
        End("it was stopped");
    }

    internal static DateTimeOffset? LockedUntil(object? value) => value switch
    {
        DateTime time => new DateTimeOffset(DateTime.SpecifyKind(time, DateTimeKind.Utc)),
        // Ticks in .NET's format.
        long ticks when ticks > 0 && ticks <= DateTime.MaxValue.Ticks => new DateTimeOffset(ticks, TimeSpan.Zero),
        _ => null,
    };

    internal void EndBecause(string reason)
    {
        End(reason);
        _ = AmqpLinks.CloseAsync(_link);
    }

    private void OnMessage(IReceiverLink link, Message message)
    {
        Interlocked.Decrement(ref _credit);
        var arrived = new ArrivedMessage(message);
        _unsettled[arrived] = true;
        _renewal.Add(arrived);
        _arrived.Writer.TryWrite(arrived);
    }

    // A message whose lock was lost already belongs to another listener.
    private void Settle(ArrivedMessage message, Action settle)
    {
        if (_unsettled.TryRemove(message, out _) && !message.IsLost)
            settle();
    }

    private void End(string reason)
    {
        EndedBy ??= reason;
        _ended.Cancel();
        foreach (var message in _unsettled.Keys)
            message.Lose();
        _arrived.Writer.TryComplete();
    }

    [LoggerMessage(7, LogLevel.Warning, "A message of '{Entity}' could not be returned; it will be delivered again when its lock ends.")]
    private static partial void LogNotAbandoned(ILogger logger, string entity, Exception error);
}
