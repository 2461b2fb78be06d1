using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.Transport.Nats;

/// <summary>Reads a durable consumer until it is disposed, whatever happens to the consumer in the meantime.</summary>
internal sealed partial class DurableListener : IAsyncDisposable
{
    private readonly NatsClient _client;
    private readonly NatsOptions _options;
    private readonly RetryPolicy _reopening;
    private readonly DurableConsumer _consumers;
    private readonly DurableBinding _binding;
    private readonly EnvelopeReceiver _receiver;
    private readonly MessageSender? _deadLetters;
    private readonly ILogger _logger;
    private readonly CancellationTokenSource _stopped = new();
    private readonly CancellationTokenSource _abandoned;
    private Task _running = Task.CompletedTask;
    private int _disposed;

    private DurableListener(NatsStreamTransport transport, DurableBinding binding, EnvelopeReceiver receiver)
    {
        var client = _client = transport.Client;
        (_options, _reopening) = (transport.Options, transport.Options.Retry.Reopening);
        _binding = binding;
        _receiver = receiver;
        _deadLetters = binding.DeadLetter is { } deadLetter ? transport.OpenSender(deadLetter) : null;
        _logger = client.Options.LoggerFactory?.CreateLogger<NatsTransport>() ?? (ILogger)NullLogger.Instance;
        _consumers = new DurableConsumer(client, transport.Streams, binding, _logger);
        _abandoned = new CancellationTokenSource(Timeout.InfiniteTimeSpan, client.Options.TimeProvider);
    }

    /// <summary>Opens the consumer and starts to read it.</summary>
    /// <exception cref="PostriderException">The binding contradicts itself, or there is no stream for it.</exception>
    /// <exception cref="NatsClientException">The server rejects the consumer or does not respond.</exception>
    public static async ValueTask<DurableListener> StartAsync(
        NatsStreamTransport transport, DurableBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        var listener = new DurableListener(transport, binding, receiver);
        try
        {
            // An invalid binding fails before any request to the server.
            _ = listener.Processor(binding.Retry.MaxAttempts);
            var consumer = await listener._consumers.OpenAsync(ct).ConfigureAwait(false);
            listener._running = Task.Run(() => listener.RunAsync(consumer), CancellationToken.None);
            return listener;
        }
        catch
        {
            await listener.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Accepts no more messages, returns those that wait and finishes those in progress. Handlers that have not ended
    /// within the client's drain timeout are cancelled, and their messages returned too.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
        {
            await _running.ConfigureAwait(false);
            return;
        }
        await _stopped.CancelAsync().ConfigureAwait(false);
        _abandoned.CancelAfter(_client.Options.DrainTimeout);
        await _running.ConfigureAwait(false);
        _consumers.Dispose();
        _stopped.Dispose();
        _abandoned.Dispose();
    }

    private async Task RunAsync(JetStreamConsumer consumer)
    {
        while (true)
        {
            try
            {
                var config = consumer.Info.Config;
                var handling = new DurableHandler(_binding, _options.Throughput, config, Processor(DurableHandler.MaxAttempts(_binding, config)));
                await consumer.ProcessAsync<ReadOnlyMemory<byte>>(handling.HandleAsync, handling.Options, ct: _stopped.Token).ConfigureAwait(false);
            }
            catch (Exception lost) when (!_stopped.IsCancellationRequested && _client.State != ConnectionState.Closed)
            {
                LogLost(_logger, _binding.Consumer, _binding.Source, lost.Message, StackOf(lost));
            }
            catch (NatsClientException closed)
            {
                LogEnded(_logger, _binding.Consumer, _binding.Source, closed.Message, StackOf(closed));
            }

            if (_stopped.IsCancellationRequested || _client.State == ConnectionState.Closed || await ReopenAsync().ConfigureAwait(false) is not { } again)
                return;
            consumer = again;
        }
    }

    private DeliveryProcessor Processor(long maxAttempts)
        => new(_binding, _receiver, _deadLetters, _logger, _client.Options.TimeProvider, _abandoned.Token) { MaxAttempts = maxAttempts };

    // The texts of the client's errors are enough.
    private Exception? StackOf(Exception error) => _logger.IsEnabled(LogLevel.Debug) || error is not (NatsClientException or PostriderException) ? error : null;

    // Null when the listener was stopped or its client closed.
    private async Task<JetStreamConsumer?> ReopenAsync()
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await Task.Delay(_reopening.DelayAfter(attempt, TimeSpan.Zero), _client.Options.TimeProvider, _stopped.Token).ConfigureAwait(false);
                return await _consumers.OpenAsync(_stopped.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
            {
                return null;
            }
            catch (Exception error) when (error is NatsClientException or PostriderException)
            {
                if (_client.State == ConnectionState.Closed) return null;
                LogNotOpened(_logger, _binding.Consumer, _binding.Source, error.Message, StackOf(error));
            }
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "Consumer '{Consumer}' of '{Source}' was lost and will be reopened: {Reason}")]
    private static partial void LogLost(ILogger logger, string consumer, string source, string reason, Exception? error);

    [LoggerMessage(2, LogLevel.Warning, "Consumer '{Consumer}' of '{Source}' could not be opened; the attempt will be repeated: {Reason}")]
    private static partial void LogNotOpened(ILogger logger, string consumer, string source, string reason, Exception? error);

    [LoggerMessage(3, LogLevel.Information, "Consumer '{Consumer}' of '{Source}' is no longer read: its client is closed: {Reason}")]
    private static partial void LogEnded(ILogger logger, string consumer, string source, string reason, Exception? error);
}
