using System.Threading.Channels;
using Microsoft.Extensions.Logging;

namespace Postrider.Client.Sessions;

/// <summary>Raises events in order, on a thread of the pool, never on the receiving one.</summary>
internal sealed class ClientEvents(ILogger logger) : IThreadPoolWorkItem
{
    // If the stream is not read, the oldest events are dropped instead of using up memory.
    private const int StreamCapacity = 256;

    // Guards the queue and the streams.
    private readonly Lock _gate = new();
    private readonly Queue<ClientEvent> _queue = new();
    private readonly List<Channel<ClientEvent>> _streams = [];
    private bool _running;
    private bool _ended;

    public event Action<ClientEvent>? Occurred;

    /// <summary>Logs and raises an event.</summary>
    /// <param name="told">The event.</param>
    /// <param name="isRepeated">Whether the same message failed before: the stack of its handler's exception is in the log already.</param>
    public void Tell(ClientEvent told, bool isRepeated = false)
    {
        Log.Event(logger, told, isRepeated);
        lock (_gate)
        {
            if (_ended) return;
            _ended = told.Kind == ClientEventKind.Closed;
            _queue.Enqueue(told);
            if (_running) return;
            _running = true;
        }
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public async IAsyncEnumerable<ClientEvent> ReadAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        var stream = Channel.CreateBounded<ClientEvent>(new BoundedChannelOptions(StreamCapacity) { FullMode = BoundedChannelFullMode.DropOldest });
        lock (_gate)
        {
            if (_ended) yield break;
            _streams.Add(stream);
        }
        try
        {
            await foreach (var told in stream.Reader.ReadAllAsync(ct).ConfigureAwait(false)) yield return told;
        }
        finally
        {
            lock (_gate) _streams.Remove(stream);
        }
    }

    public void Execute()
    {
        while (true)
        {
            ClientEvent told;
            Channel<ClientEvent>[] streams;
            lock (_gate)
            {
                if (!_queue.TryDequeue(out told!))
                {
                    _running = false;
                    return;
                }
                streams = [.. _streams];
            }
            foreach (var stream in streams)
            {
                stream.Writer.TryWrite(told);
                if (told.Kind == ClientEventKind.Closed) stream.Writer.TryComplete();
            }
            Raise(told);
        }
    }

    private void Raise(ClientEvent told)
    {
        try
        {
            Occurred?.Invoke(told);
        }
        catch (Exception error)
        {
            Log.EventHandlerFailed(logger, told.Kind, error);
        }
    }
}
