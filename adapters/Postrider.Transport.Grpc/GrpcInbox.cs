using System.Collections.Concurrent;
using Grpc.Core;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.Grpc;

/// <summary>The receiving side of a transport: messages by their destinations.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed partial class GrpcInbox(GrpcOptions options, ILogger logger)
{
    // A sender counts its attempts itself: a number above this one is an attack or an error.
    private const long MaxAttempts = 1_000_000;

    private readonly ConcurrentDictionary<string, GrpcListener[]> _listeners = new(StringComparer.Ordinal);
    private readonly Lock _changing = new(); // guards read-modify-write of _listeners' values
    private int _turn;

    /// <summary>Whether an endpoint serves it.</summary>
    internal bool IsMapped { get; set; }

    internal int Destinations => _listeners.Count;

    internal int MaxBatchInFlight => options.Throughput.MaxBatchInFlight;

    internal void Add(GrpcListener listener)
    {
        lock (_changing)
            _listeners[listener.Source] = [.. _listeners.GetValueOrDefault(listener.Source, []), listener];
    }

    internal void Remove(GrpcListener listener)
    {
        lock (_changing)
        {
            var left = _listeners.GetValueOrDefault(listener.Source, []).Where(other => other != listener).ToArray();
            if (left.Length == 0)
                _listeners.TryRemove(listener.Source, out _);
            else
                _listeners[listener.Source] = left;
        }
    }

    internal async ValueTask DisposeListenersAsync()
    {
        foreach (var listener in _listeners.Values.SelectMany(static all => all).ToArray())
            await listener.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Starts to handle a message; completes when it has its slot, so that messages started in sequence keep
    /// their order.</summary>
    /// <returns>The handling.</returns>
    internal async ValueTask<Task<GrpcOutcome>> BeginAsync(Message message, long previousAttempts, CancellationToken ct)
    {
        var (listener, outcome) = await EnterAsync(message, ct).ConfigureAwait(false);
        return listener is null ? Task.FromResult(outcome) : listener.HandleAsync(message, 1 + Math.Clamp(previousAttempts, 0, MaxAttempts));
    }

    /// <summary>Handles a request.</summary>
    internal async ValueTask<(Message? Answer, GrpcOutcome Outcome)> AnswerAsync(Message message, CancellationToken ct)
    {
        var (listener, outcome) = await EnterAsync(message, ct).ConfigureAwait(false);
        return listener is null ? (null, outcome) : await listener.AnswerAsync(message).ConfigureAwait(false);
    }

    [LoggerMessage(3, LogLevel.Error, "A message at '{Source}' could not be stored at '{Store}'; its sender keeps it.")]
    private static partial void LogNotStored(ILogger logger, string source, string store, Exception failure);

    internal void LogNotStored(string source, string store, Exception failure) => LogNotStored(logger, source, store, failure);

    private async ValueTask<(GrpcListener? Listener, GrpcOutcome Outcome)> EnterAsync(Message message, CancellationToken ct)
    {
        if (message.Body.Length > options.Poison.MaxBodyBytes)
            return (null, new(StatusCode.ResourceExhausted, $"Body of {message.Body.Length} bytes exceeds the limit of {options.Poison.MaxBodyBytes} bytes.", nameof(PostriderError.TooLarge)));
        if (!_listeners.TryGetValue(message.Destination, out var listeners))
            return (null, GrpcOutcome.NoListener(message.Destination));
        var listener = listeners[(int)((uint)Interlocked.Increment(ref _turn) % (uint)listeners.Length)];
        var outcome = await listener.EnterAsync(ct).ConfigureAwait(false);
        return outcome.Code == StatusCode.OK ? (listener, outcome) : (null, outcome);
    }
}
