using System.Buffers;
using System.Security.Cryptography;
using Postrider.Client.JetStream;

namespace Postrider.Client.ObjectStore;

/// <summary>Sends an object's bytes in chunks, and ensures that the stream has them in order.</summary>
/// <remarks>
/// Chunks are sent without waiting for each, and one that is sent again after a lost connection or a silent server comes after
/// those sent in the meantime. The acknowledgements show this: a chunk stored before an earlier one is stored again after it and removed.
/// </remarks>
internal sealed class ChunkWriter
{
    // 2 MiB with chunks of the default size: enough for the round trip of a gigabit network at 10 ms.
    private const int ChunksInFlight = 16;

    private readonly JetStreamContext _context;
    private readonly JetStreamStream _stream;
    private readonly JetStreamPublisher _publisher;
    private readonly string _subject;
    private readonly string _id;

    // Chunks that were sent and are not known to be in order; the oldest first.
    private readonly Queue<Chunk> _sent = new();
    private ulong _last;
    private int _again;

    private ChunkWriter(JetStreamContext context, JetStreamStream stream, JetStreamPublisher publisher, string subject, string id)
    {
        _context = context;
        _stream = stream;
        _publisher = publisher;
        _subject = subject;
        _id = id;
    }

    public static async Task<ObjectInfo> WriteAsync(
        JetStreamContext context, JetStreamStream stream, string bucket, ObjectMeta meta, string id, Stream source, CancellationToken ct)
    {
        if (meta.ChunkBytes < 1) throw new NatsClientException(NatsErrorCode.InvalidOption, $"ObjectMeta.ChunkBytes {meta.ChunkBytes} must be at least 1.");
        var publisher = context.CreatePublisher(new PublisherOptions { MaxInFlight = ChunksInFlight });
        await using var ends = publisher.ConfigureAwait(false);
        var writer = new ChunkWriter(context, stream, publisher, ObjectNames.Chunks(bucket, id), id);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var (size, chunks) = (0L, 0);
        var bytes = meta.ChunkBytes;
        while (bytes == meta.ChunkBytes)
        {
            var buffer = ArrayPool<byte>.Shared.Rent(meta.ChunkBytes);
            bytes = await source.ReadAtLeastAsync(buffer.AsMemory(0, meta.ChunkBytes), meta.ChunkBytes, throwOnEndOfStream: false, ct).ConfigureAwait(false);
            if (bytes == 0) break;
            hash.AppendData(buffer, 0, bytes);
            await writer.SendAsync(buffer, bytes, chunks, ct).ConfigureAwait(false);
            size += bytes;
            chunks++;
        }
        await writer.SettleAsync(0, ct).ConfigureAwait(false);
        return new ObjectInfo
        {
            Name = meta.Name,
            Description = meta.Description,
            Headers = meta.Headers,
            Metadata = meta.Metadata,
            Options = new ObjectOptions { MaxChunkBytes = meta.ChunkBytes },
            Bucket = bucket,
            Id = id,
            Size = size,
            Chunks = chunks,
            Digest = ObjectNames.Digest(hash.GetHashAndReset()),
        };
    }

    private async ValueTask SendAsync(byte[] buffer, int bytes, int number, CancellationToken ct)
    {
        await SettleAsync(ChunksInFlight - 1, ct).ConfigureAwait(false);
        // The id lets a chunk be sent again after a lost connection without being stored twice.
        _sent.Enqueue(new Chunk(buffer, bytes, number, StoreAsync(buffer, bytes, $"{_id}.{number}", ct)));
    }

    // Waits for the oldest chunks until only the given number is left.
    private async ValueTask SettleAsync(int left, CancellationToken ct)
    {
        while (_sent.Count > left)
        {
            var sequence = await _sent.Peek().Stored.WaitAsync(ct).ConfigureAwait(false);
            if (sequence < _last) await MoveAsync(ct).ConfigureAwait(false);
            else Settle(_sent.Dequeue(), sequence);
        }
    }

    // The oldest chunk was stored before one that must precede it: it, and any others in flight, may be out of order.
    private async Task MoveAsync(CancellationToken ct)
    {
        foreach (var chunk in _sent) await chunk.Stored.WaitAsync(ct).ConfigureAwait(false);
        while (_sent.TryDequeue(out var chunk))
        {
            var sequence = await chunk.Stored.ConfigureAwait(false);
            if (sequence < _last)
            {
                await RemoveAsync(sequence, ct).ConfigureAwait(false);
                sequence = await StoreAsync(chunk.Buffer, chunk.Bytes, $"{_id}.{chunk.Number}.{++_again}", ct).WaitAsync(ct).ConfigureAwait(false);
            }
            Settle(chunk, sequence);
        }
    }

    private async Task RemoveAsync(ulong sequence, CancellationToken ct)
    {
        for (var retries = _context.Options.PublishRetries; ; retries--)
        {
            try
            {
                await _stream.DeleteMessageAsync(sequence, ct: ct).ConfigureAwait(false);
                return;
            }
            catch (JetStreamException) when (retries < _context.Options.PublishRetries)
            {
                // The first delete succeeded, and its reply was lost; the reader detects any other error by the digest.
                return;
            }
            catch (NatsClientException error) when (error is not JetStreamException && retries > 0)
            {
                await Task.Delay(_context.Options.PublishRetryDelay, _context.Api.Session.Options.TimeProvider, ct).ConfigureAwait(false);
            }
        }
    }

    private void Settle(Chunk chunk, ulong sequence)
    {
        _last = sequence;
        ArrayPool<byte>.Shared.Return(chunk.Buffer);
    }

    private async Task<ulong> StoreAsync(byte[] buffer, int bytes, string messageId, CancellationToken ct)
    {
        var options = new PublishOptions { MessageId = messageId };
        return (await _publisher.PublishAsync(_subject, new ReadOnlyMemory<byte>(buffer, 0, bytes), options, ct: ct).ConfigureAwait(false)).Sequence;
    }

    private sealed record Chunk(byte[] Buffer, int Bytes, int Number, Task<ulong> Stored);
}
