using System.Buffers.Binary;
using Postrider.Sockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>Reads messages of <see cref="MessageWriter"/>, checks what it can and notes the end.</summary>
internal sealed class Recorder(Action<Recorder, SendBatch>? received = null) : IReceiver
{
    private readonly TaskCompletionSource<CloseReason> _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Dictionary<int, int> _next = [];
    private readonly Lock _gate = new();
    private readonly List<(long Messages, TaskCompletionSource Reached)> _waits = [];
    private int _inside;
    private long _messages;
    private long _bytes;

    /// <summary>The end, once it came.</summary>
    public Task<CloseReason> Closed => _closed.Task;

    /// <summary>The error that the end came with, once it came.</summary>
    public Exception? ClosedError { get; private set; }

    /// <summary>What the receiver saw that may not be.</summary>
    public List<string> Faults { get; } = [];

    public long Messages => Volatile.Read(ref _messages);

    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Called first in each read, may throw or wait.</summary>
    public Action? BeforeRead { get; set; }

    public Task Reach(long messages)
    {
        lock (_gate)
        {
            if (_messages >= messages) return Task.CompletedTask;
            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waits.Add((messages, reached));
            return reached.Task;
        }
    }

    public int Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        if (Interlocked.Exchange(ref _inside, 1) != 0) Fault("Two calls at a time.");
        if (_closed.Task.IsCompleted) Fault("Bytes after the end.");
        try
        {
            BeforeRead?.Invoke();
            neededBytes = 0;
            var consumed = 0;
            while (input.Length - consumed >= MessageWriter.HeadBytes)
            {
                var rest = input[consumed..];
                var length = BinaryPrimitives.ReadInt32LittleEndian(rest);
                if (length is < MessageWriter.HeadBytes or > 64 * 1024 * 1024) throw new InvalidDataException($"A message of {length} bytes.");
                if (rest.Length < length)
                {
                    neededBytes = length;
                    break;
                }
                Check(rest[..length]);
                consumed += length;
            }
            Volatile.Write(ref _bytes, _bytes + consumed);
            if (consumed > 0) received?.Invoke(this, batch);
            Tell();
            return consumed;
        }
        finally
        {
            Volatile.Write(ref _inside, 0);
        }
    }

    void IReceiver.Closed(CloseReason reason, Exception? error)
    {
        if (Volatile.Read(ref _inside) != 0) Fault("The end during a read.");
        if (reason == CloseReason.ReceiverFault && error is InvalidDataException) Fault(error.Message);
        ClosedError = error;
        if (!_closed.TrySetResult(reason)) Fault("Two ends.");
        lock (_gate)
        {
            // Nothing comes any more: whoever waits learns why.
            foreach (var (messages, reached) in _waits) reached.TrySetException(new InvalidOperationException($"Ended by {reason} with {_messages} of {messages} messages.", error));
        }
    }

    private void Check(ReadOnlySpan<byte> message)
    {
        var writer = BinaryPrimitives.ReadInt32LittleEndian(message[4..]);
        var sequence = BinaryPrimitives.ReadInt32LittleEndian(message[8..]);
        if (sequence != _next.GetValueOrDefault(writer)) Fault($"Writer {writer}: {sequence} instead of {_next.GetValueOrDefault(writer)}.");
        _next[writer] = sequence + 1;
        if (message[MessageWriter.HeadBytes..].ContainsAnyExcept(MessageWriter.Filler(writer, sequence))) Fault($"Writer {writer}: {sequence} has others' bytes.");
        Volatile.Write(ref _messages, _messages + 1);
    }

    private void Tell()
    {
        lock (_gate)
        {
            foreach (var (messages, reached) in _waits)
                if (_messages >= messages) reached.TrySetResult();
        }
    }

    private void Fault(string text)
    {
        lock (_gate) Faults.Add(text);
    }
}
