using System.Collections.Concurrent;
using System.Threading.Channels;
using Amqp;
using Amqp.Types;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.ServiceBus;

/// <summary>Renews the locks of the unsettled messages of a receiver, or that of its session.</summary>
internal sealed partial class LockRenewal
{
    // Sooner, should the clock here be behind that of the service.
    private static readonly TimeSpan s_maxPause = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan s_minPause = TimeSpan.FromMilliseconds(250);

    // The service accepts a list of locks; a request with this many stays small.
    private const int MaxLocks = 100;

    private readonly ServiceBusConnection _owner;
    private readonly AmqpConnection _connection;
    private readonly string _entity;
    private readonly string? _session;
    private readonly ConcurrentDictionary<ArrivedMessage, bool> _unsettled;
    private readonly EntityReceiver _receiver;
    private readonly CancellationToken _ended;
    private readonly Channel<bool> _added = Channel.CreateBounded<bool>(new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    internal LockRenewal(
        ServiceBusConnection owner, AmqpConnection connection, string entity, string? session, DateTimeOffset? sessionLock, ConcurrentDictionary<ArrivedMessage, bool> unsettled, EntityReceiver receiver, CancellationToken ended)
    {
        (_owner, _connection, _entity, _session, _unsettled, _receiver, _ended) = (owner, connection, entity, session, unsettled, receiver, ended);
        _ = session is null ? RunAsync(RenewMessagesAsync) : RunAsync(() => RenewSessionAsync(sessionLock));
    }

    /// <summary>Starts to renew the lock of a message.</summary>
    internal void Add(ArrivedMessage message)
    {
        message.RenewAt = _owner.Time.GetUtcNow() + Pause(ServiceBusHeaderMapping.Time(message.Message, "x-opt-locked-until"));
        _added.Writer.TryWrite(true);
    }

    private async Task RunAsync(Func<Task> renew)
    {
        try
        {
            await Task.Yield();
            await renew().ConfigureAwait(false);
        }
        catch (Exception) when (_ended.IsCancellationRequested)
        {
            // The receiver ended.
        }
    }

    private async Task RenewMessagesAsync()
    {
        while (true)
        {
            if (_unsettled.IsEmpty)
            {
                await _added.Reader.ReadAsync(_ended).ConfigureAwait(false);
                continue;
            }

            var next = _unsettled.Keys.Where(static message => !message.IsLost).Select(static message => message.RenewAt).DefaultIfEmpty(_owner.Time.GetUtcNow() + s_maxPause).Min();
            var wait = next - _owner.Time.GetUtcNow();
            if (wait > TimeSpan.Zero)
                await Task.Delay(wait, _owner.Time, _ended).ConfigureAwait(false);
            // Includes those that are due soon: one request instead of several.
            var soon = _owner.Time.GetUtcNow() + s_minPause;
            var due = _unsettled.Keys.Where(message => !message.IsLost && message.Lock != Guid.Empty && message.RenewAt <= soon).Take(MaxLocks).ToList();
            if (due.Count > 0)
                await RenewAsync(due).ConfigureAwait(false);
        }
    }

    private async Task RenewAsync(List<ArrivedMessage> due)
    {
        try
        {
            var answer = await _connection.AskAsync(_entity, "com.microsoft:renew-lock", new Map { ["lock-tokens"] = due.Select(static message => message.Lock).ToArray() }, _ended).ConfigureAwait(false);
            var expirations = (answer.Body as Map)?["expirations"] as DateTime[] ?? [];
            foreach (var (i, message) in due.Index())
                message.RenewAt = _owner.Time.GetUtcNow() + Pause(i < expirations.Length ? EntityReceiver.LockedUntil(expirations[i]) : null);
        }
        catch (AmqpException lost) when (ServiceBusErrors.ConditionOf(lost) is ServiceBusErrors.MessageLockLost or ServiceBusErrors.MessageNotFound)
        {
            // One of them failed, and the response does not say which.
            if (due.Count == 1)
                Lose(due[0]);
            foreach (var message in due.Count == 1 ? [] : due.Where(_unsettled.ContainsKey))
                await RenewAsync([message]).ConfigureAwait(false);
        }
        catch (Exception error) when (!_ended.IsCancellationRequested)
        {
            LogNotRenewed(_owner.Logger, _entity, error);
            foreach (var message in due)
                message.RenewAt = _owner.Time.GetUtcNow() + TimeSpan.FromSeconds(1);
        }
    }

    private void Lose(ArrivedMessage message)
    {
        // Settled meanwhile: then the end of its lock was expected.
        if (!_unsettled.TryRemove(message, out _))
            return;
        message.Lose();
        LogLost(_owner.Logger, _entity, ServiceBusHeaderMapping.Sequence(message.Message));
    }

    private async Task RenewSessionAsync(DateTimeOffset? until)
    {
        var pause = Pause(until);
        while (true)
        {
            await Task.Delay(pause, _owner.Time, _ended).ConfigureAwait(false);
            try
            {
                var answer = await _connection.AskAsync(_entity, "com.microsoft:renew-session-lock", new Map { ["session-id"] = _session! }, _ended).ConfigureAwait(false);
                pause = Pause(EntityReceiver.LockedUntil((answer.Body as Map)?["expiration"]));
            }
            catch (AmqpException lost) when (ServiceBusErrors.ConditionOf(lost) is ServiceBusErrors.SessionLockLost or ServiceBusErrors.SessionCannotBeLocked)
            {
                _receiver.EndBecause($"the lock of session '{_session}' was lost");
            }
            catch (Exception error) when (!_ended.IsCancellationRequested)
            {
                LogNotRenewed(_owner.Logger, _entity, error);
                pause = TimeSpan.FromSeconds(1);
            }
        }
    }

    // Half of the remaining time.
    private TimeSpan Pause(DateTimeOffset? until)
    {
        var left = until is { } end ? (end - _owner.Time.GetUtcNow()) / 2 : s_maxPause;
        return left < s_minPause ? s_minPause : left > s_maxPause ? s_maxPause : left;
    }

    [LoggerMessage(8, LogLevel.Warning, "Locks of '{Entity}' could not be renewed; the attempt will be repeated.")]
    private static partial void LogNotRenewed(ILogger logger, string entity, Exception error);

    [LoggerMessage(9, LogLevel.Warning, "The lock of message {Sequence} of '{Entity}' was lost: the message will be delivered again.")]
    private static partial void LogLost(ILogger logger, string entity, long sequence);
}
