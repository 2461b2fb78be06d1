using System.Buffers;
using System.Security.Cryptography;
using Postrider.Client.Errors;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Publishing;

namespace Postrider.Client.ObjectStore;

/// <summary>Sends an object's bytes in chunks.</summary>
internal static class ChunkWriter
{
    // Two MiB of the usual chunks: enough for the round trip of a gigabit at 10 ms.
    private const int ChunksInFlight = 16;

    public static async Task<ObjectInfo> WriteAsync(JetStreamContext context, string bucket, ObjectMeta meta, string id, Stream source, CancellationToken ct)
    {
        if (meta.ChunkBytes < 1) throw new NatsClientException(NatsErrorCode.InvalidOption, $"ObjectMeta.ChunkBytes {meta.ChunkBytes} must be at least 1.");
        var subject = ObjectNames.Chunks(bucket, id);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var buffer = ArrayPool<byte>.Shared.Rent(meta.ChunkBytes);
        var (size, chunks) = (0L, 0);
        try
        {
            var publisher = context.CreatePublisher(new PublisherOptions { MaxInFlight = ChunksInFlight });
            await using var ends = publisher.ConfigureAwait(false);
            while (true)
            {
                var chunk = buffer.AsMemory(0, meta.ChunkBytes);
                var bytes = await source.ReadAtLeastAsync(chunk, meta.ChunkBytes, throwOnEndOfStream: false, ct).ConfigureAwait(false);
                if (bytes == 0) break;
                hash.AppendData(buffer, 0, bytes);
                // The id lets a chunk be sent again after a lost connection without being stored twice.
                await publisher.PostAsync(subject, (ReadOnlyMemory<byte>)chunk[..bytes], new PublishOptions { MessageId = $"{id}.{chunks}" }, ct: ct).ConfigureAwait(false);
                size += bytes;
                chunks++;
                if (bytes < meta.ChunkBytes) break;
            }
            await publisher.FlushAsync(ct).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
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
}
