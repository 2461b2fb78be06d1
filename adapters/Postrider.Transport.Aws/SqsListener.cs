using System.Globalization;
using Amazon.SQS.Model;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.Transport.Aws;

/// <summary>Polls a queue until it is disposed, whatever happens to the service and the queue in the meantime.</summary>
/// <remarks>Unless <see cref="AwsThroughput.PrefetchFactor"/> is set, a poll requests no more messages than there are free slots
/// for handlers: none waits in this process, so none has to be returned.</remarks>
internal sealed partial class SqsListener : IAsyncDisposable
{
    private static readonly string[] s_everything = ["All"];

    // Handlers that have not ended by then are cancelled, and their messages returned.
    private static readonly TimeSpan s_drainTimeout = TimeSpan.FromSeconds(30);

    private readonly AwsConnection _connection;
    private readonly SqsBinding _binding;
    private readonly AwsTopology _topology;
    private readonly DeliveryProcessor _processor;
    private readonly BatchQueue<DeleteMessageBatchRequestEntry> _deletes;
    private readonly SemaphoreSlim _room;
    private readonly CancellationTokenSource _stopped = new();
    private readonly CancellationTokenSource _pollsEnd = new();
    private readonly CancellationTokenSource _settled = new();
    private readonly CancellationTokenSource _abandoned;
    private volatile Exception? _problem;
    private Task _running = Task.CompletedTask;
    private int _disposed;

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the binding contradicts itself.</exception>
    internal SqsListener(AwsConnection connection, SqsBinding binding, string queue, EnvelopeReceiver receiver, MessageSender? deadLetters, AwsTopology topology)
    {
        (_connection, _binding, Queue, _topology) = (connection, binding, queue, topology);
        _abandoned = new(Timeout.InfiniteTimeSpan, connection.Time);
        _processor = new DeliveryProcessor(binding, receiver, deadLetters, connection.Logger, connection.Time, _abandoned.Token);
        _deletes = new(connection, queue, long.MaxValue, Math.Max(2, connection.Options.Throughput.MaxRequests), DeleteAllAsync);
        _room = new(binding.MaxConcurrency);
        Leases = new(connection, queue, binding.Lease);
    }

    internal string Queue { get; }

    internal LeaseRenewal Leases { get; }

    /// <summary>The error that prevents the listener from receiving; null for none.</summary>
    internal Exception? Problem => _problem;

    /// <summary>Declares the topology and starts to poll.</summary>
    internal async ValueTask StartAsync(CancellationToken ct)
    {
        await _topology.PrepareAsync(_binding.DeclaresTopology, ct).ConfigureAwait(false);
        var pollers = _binding.OrderByKey && _connection.Options.QueueType == AwsQueueType.Standard ? 1 : Math.Min(_connection.Options.Throughput.Pollers, _binding.MaxConcurrency);
        var most = Math.Clamp((_binding.MaxConcurrency + pollers - 1) / pollers, 1, SqsLimits.MaxBatch);
        var renewing = Task.Run(() => Leases.RunAsync(_settled.Token), CancellationToken.None);
        var polling = Enumerable.Range(0, pollers).Select(_ => Task.Run(() => PollAsync(most), CancellationToken.None)).ToArray();
        _running = EndAsync(polling, renewing);
    }

    /// <summary>Accepts no more messages and finishes those in progress.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
        {
            _abandoned.CancelAfter(s_drainTimeout);
            _pollsEnd.CancelAfter(_connection.Options.Throughput.StopWait);
            await _stopped.CancelAsync().ConfigureAwait(false);
        }

        await _running.ConfigureAwait(false);
    }

    /// <summary>Deletes a message that is settled.</summary>
    internal ValueTask DeleteAsync(Message message) => _deletes.AddAsync(new DeleteMessageBatchRequestEntry { ReceiptHandle = message.ReceiptHandle }, bytes: 0, CancellationToken.None);

    /// <summary>Makes a message visible again after a delay, rounded up to whole seconds.</summary>
    internal async ValueTask ShowAgainAsync(Message message, TimeSpan delay)
        => await _connection.CallAsync(
            Queue,
            async ct => await _connection.Sqs.ChangeMessageVisibilityAsync(new(await _connection.QueueUrlAsync(Queue, ct).ConfigureAwait(false), message.ReceiptHandle, SqsLimits.Seconds(delay)), ct).ConfigureAwait(false),
            CancellationToken.None).ConfigureAwait(false);

    private async Task EndAsync(Task[] polling, Task renewing)
    {
        await Task.WhenAll(polling).ConfigureAwait(false);
        for (var i = 0; i < _binding.MaxConcurrency; i++)
            await _room.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        await _settled.CancelAsync().ConfigureAwait(false);
        await renewing.ConfigureAwait(false);
    }

    private async Task PollAsync(int most)
    {
        var policy = new RetryPolicy { BaseDelay = TimeSpan.FromMilliseconds(100), MaxDelay = _connection.Options.Retry.MaxPause };
        var failures = 0;
        while (!_stopped.IsCancellationRequested)
        {
            var places = 0;
            try
            {
                await _room.WaitAsync(_stopped.Token).ConfigureAwait(false);
                for (places = 1; places < most && _room.Wait(0, CancellationToken.None);)
                    places++;
                var messages = await ReceiveAsync(Math.Min(SqsLimits.MaxBatch, places * _connection.Options.Throughput.PrefetchFactor)).ConfigureAwait(false);
                failures = 0;
                Recovered();
                // All are hidden from others, including those that wait for a slot.
                foreach (var held in messages.Select(Leases.Add).ToArray())
                {
                    if (places == 0 && !_stopped.IsCancellationRequested)
                    {
                        places = await WaitForRoomAsync().ConfigureAwait(false) ? 1 : 0;
                    }

                    if (_stopped.IsCancellationRequested)
                    {
                        await ReturnAsync(held).ConfigureAwait(false);
                        continue;
                    }

                    places--;
                    _ = HandleAsync(held);
                }
            }
            catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
            {
                // The listener ends.
            }
            catch (Exception error)
            {
                failures++;
                await FailedAsync(error, policy.DelayAfter(Math.Min(failures, 30), TimeSpan.Zero)).ConfigureAwait(false);
            }
            finally
            {
                if (places > 0)
                    _room.Release(places);
            }
        }
    }

    /// <returns>False if the listener was stopped before a slot was free.</returns>
    private async ValueTask<bool> WaitForRoomAsync()
    {
        try
        {
            await _room.WaitAsync(_stopped.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            return false;
        }
    }

    private async Task<List<Message>> ReceiveAsync(int count)
    {
        var wait = _connection.Options.Throughput.PollWait;
        var url = await _connection.OnceAsync(ct => _connection.QueueUrlAsync(Queue, ct), _stopped.Token).ConfigureAwait(false);
        var request = new ReceiveMessageRequest
        {
            QueueUrl = url,
            MaxNumberOfMessages = count,
            WaitTimeSeconds = SqsLimits.Seconds(wait),
            VisibilityTimeout = SqsLimits.Seconds(_binding.Lease),
            MessageAttributeNames = [.. s_everything],
            MessageSystemAttributeNames = [.. s_everything],
        };
        return (await _connection.OnceAsync(ct => _connection.Sqs.ReceiveMessageAsync(request, ct), _pollsEnd.Token, wait).ConfigureAwait(false)).Messages ?? [];
    }

    // Starts in the order of the calls: messages that wait for their key wait in the order of delivery.
    private async Task HandleAsync(ReceivedLease held)
    {
        var message = held.Message;
        try
        {
            var (headers, body) = Read(message);
            var delivery = new SqsDelivery(this, held) { Count = SqsDelivery.CountOf(message), Store = Queue, StoredAt = SqsDelivery.SentAt(message) };
            await _processor.HandleAsync(new Envelope { Destination = _binding.Source, Headers = headers, Body = body, Delivery = delivery }).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            LogNotSettled(_connection.Logger, message.MessageId, Queue, error);
        }
        finally
        {
            await Leases.RemoveAsync(held).ConfigureAwait(false);
            _room.Release();
        }
    }

    private (Headers Headers, ReadOnlyMemory<byte> Body) Read(Message message)
        => _binding.Events.Count > 0 && message.MessageAttributes is null or { Count: 0 } && EventBridgeMapping.TryRead(message.Body ?? "", out var headers, out var body)
            ? (headers, body)
            : SqsMessageMapping.FromAws(message);

    // It arrived while the listener was being stopped, or waited for a slot.
    private async ValueTask ReturnAsync(ReceivedLease held)
    {
        try
        {
            await Leases.RemoveAsync(held).ConfigureAwait(false);
            await ShowAgainAsync(held.Message, TimeSpan.Zero).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            LogNotSettled(_connection.Logger, held.Message.MessageId, Queue, error);
        }
    }

    // The same problem is logged once instead of at each attempt.
    private async ValueTask FailedAsync(Exception error, TimeSpan pause)
    {
        var told = AwsErrors.Translate(error, Queue, _connection.Service);
        var known = Interlocked.Exchange(ref _problem, told);
        if (known is null || known.GetType() != told.GetType() || (told is PostriderException && known.Message != told.Message))
            LogNotReceived(_connection.Logger, Queue, told);
        try
        {
            if (AwsErrors.IsMissing(error))
            {
                _connection.Forget(Queue);
                if (_binding.DeclaresTopology)
                    await _topology.PrepareAsync(creates: true, _stopped.Token).ConfigureAwait(false);
            }

            await Task.Delay(pause, _connection.Time, _stopped.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            // The listener ends.
        }
        catch (Exception again) when (again is PostriderException or TimeoutException)
        {
            _problem = again;
            await _connection.PauseAsync(pause).ConfigureAwait(false);
        }
    }

    private void Recovered()
    {
        if (Interlocked.Exchange(ref _problem, null) is not null)
            LogRecovered(_connection.Logger, Queue);
    }

    private async Task<Exception?[]> DeleteAllAsync(IReadOnlyList<DeleteMessageBatchRequestEntry> batch, CancellationToken ct)
    {
        for (var i = 0; i < batch.Count; i++)
            batch[i].Id = i.ToString(CultureInfo.InvariantCulture);
        var url = await _connection.QueueUrlAsync(Queue, ct).ConfigureAwait(false);
        var answer = await _connection.Sqs.DeleteMessageBatchAsync(new DeleteMessageBatchRequest(url, [.. batch]), ct).ConfigureAwait(false);
        return SqsResults.Of(batch.Count, answer.Successful?.Select(static entry => entry.Id), answer.Failed);
    }

    [LoggerMessage(5, LogLevel.Warning, "Message {MessageId} of queue '{Queue}' could not be settled and will be delivered again.")]
    private static partial void LogNotSettled(ILogger logger, string messageId, string queue, Exception error);

    [LoggerMessage(6, LogLevel.Error, "No messages can be received from queue '{Queue}'; attempts continue, and the same problem is not logged again.")]
    private static partial void LogNotReceived(ILogger logger, string queue, Exception problem);

    [LoggerMessage(7, LogLevel.Information, "Messages are received from queue '{Queue}' again.")]
    private static partial void LogRecovered(ILogger logger, string queue);
}
