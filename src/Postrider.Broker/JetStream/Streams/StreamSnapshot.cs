using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Broker.Compression;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Snapshots;
using Postrider.Memory;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>A stream as an archive that is created while it is read.</summary>
/// <remarks>The archive reflects the time at which it was begun, except that messages deleted meanwhile are missing. The stream's lock is
/// taken for a few hundred kilobytes at a time. Not thread-safe.</remarks>
internal sealed class StreamSnapshot : IDisposable
{
    // Bytes read while the stream's lock is held once: about a hundred microseconds.
    private const int BytesPerHold = 256 * 1024;

    private readonly MessageStream _stream;
    private readonly PooledBufferWriter _output = new();
    private readonly S2Encoder _encoder;
    private readonly ulong _last;
    private ulong _next;
    private int _taken;
    private bool _isComplete;

    private StreamSnapshot(MessageStream stream, StreamState state)
    {
        _stream = stream;
        State = state;
        _encoder = new S2Encoder(_output);
        _next = state.FirstSequence;
        _last = state.LastSequence;
    }

    /// <summary>The stream's state in the archive.</summary>
    public StreamState State { get; }

    /// <summary>Begins an archive.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="withConsumers">Whether its consumers are included.</param>
    public static StreamSnapshot Begin(MessageStream stream, bool withConsumers)
    {
        var engine = stream.Account.Engine;
        var now = engine.Clock.Now;
        using (stream.Gate.Hold())
        {
            stream.CommitRemovalsLocked();
            var consumers = withConsumers && engine.Consumers is { } all ? all.Export(stream, stream.Store.LastSequence) : [];
            var state = StreamInfoMapper.State(stream, withDeleted: false) with { ConsumerCount = consumers.Count };
            var archive = new StreamSnapshot(stream, state);
            archive._encoder.Write(SnapshotFormat.Magic);
            archive.Add(SnapshotFormat.StateName, now, JsonSerializer.SerializeToUtf8Bytes(state, StreamJson.Default.StreamState));
            foreach (var (name, text) in consumers) archive.Add(SnapshotFormat.ConsumerPrefix + name, now, text);
            return archive;
        }
    }

    /// <summary>Reads the next bytes of the archive.</summary>
    /// <param name="chunk">The number of bytes; fewer are returned only at the end.</param>
    /// <param name="problem">Why the stream cannot be read further, or null.</param>
    /// <returns>The bytes: valid until the next call.</returns>
    public ReadOnlySpan<byte> ReadChunk(int chunk, out string? problem)
    {
        problem = null;
        while (!_isComplete && _output.WrittenCount - _taken < chunk)
        {
            Compact();
            problem = Fill();
            if (problem is not null) return [];
        }

        var part = _output.WrittenSpan[_taken..];
        if (part.Length > chunk) part = part[..chunk];
        _taken += part.Length;
        return part;
    }

    /// <summary>Returns the memory; nothing can be read afterwards.</summary>
    public void Dispose() => _output.Dispose();

    private string? Fill()
    {
        _stream.YieldToPriorityWaiters();
        using (_stream.Gate.Hold())
        {
            if (_stream.IsClosed) return "stream closed";
            for (var bytes = 0; bytes < BytesPerHold;)
            {
                if (_next > _last || !_stream.Store.Queries.TryFindNext(SubjectFilter.All, _next, out var sequence) || sequence > _last)
                {
                    SnapshotFormat.Write(_encoder, default);
                    _encoder.Flush();
                    _isComplete = true;
                    return null;
                }

                if (_stream.Store.TryRead(sequence, out var message) != StoreStatus.Ok)
                    return string.Create(CultureInfo.InvariantCulture, $"couldn't load message {sequence}: its record is damaged");
                SnapshotFormat.Write(_encoder, new SnapshotEntry(message.Subject, sequence, message.Timestamp, message.Headers, message.Payload));
                bytes += message.Subject.Length + message.Headers.Length + message.Payload.Length;
                _next = sequence + 1;
            }
        }

        return null;
    }

    private void Add(string name, long timestamp, byte[] document)
        => SnapshotFormat.Write(_encoder, new SnapshotEntry(Encoding.UTF8.GetBytes(name), 0, timestamp, [], document));

    private void Compact()
    {
        _output.RemoveFirst(_taken);
        _taken = 0;
    }
}
