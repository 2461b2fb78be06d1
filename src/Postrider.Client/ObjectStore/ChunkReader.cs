using System.Security.Cryptography;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Serialization;

namespace Postrider.Client.ObjectStore;

/// <summary>Reads an object's chunks and compares their digest.</summary>
internal static class ChunkReader
{
    // 2 MiB with chunks of the default size.
    private const int ChunksInFlight = 16;

    public static async Task ReadAsync(JetStreamContext context, ObjectInfo info, Stream target, CancellationToken ct)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var size = info.Chunks == 0 ? 0 : await CopyAsync(context, info, target, hash, ct).ConfigureAwait(false);
        if (size != info.Size || !ObjectNames.IsDigest(info.Digest, hash.GetHashAndReset()))
            throw new NatsClientException(NatsErrorCode.DigestMismatch, $"Object '{info.Name}' in bucket '{info.Bucket}' is corrupt: {size} bytes were read, and they do not match its {info.Size} bytes and digest {info.Digest}.");
    }

    private static async Task<long> CopyAsync(JetStreamContext context, ObjectInfo info, Stream target, IncrementalHash hash, CancellationToken ct)
    {
        var options = new OrderedConsumerOptions { FilterSubjects = [ObjectNames.Chunks(info.Bucket, info.Id)], MaxMessages = ChunksInFlight };
        var serializer = BytesSerializerProvider.Instance.Find<ReadOnlyMemory<byte>>()!;
        var reader = new OrderedReader<ReadOnlyMemory<byte>>(context.Api, ObjectNames.Stream(info.Bucket), options, serializer, ct);
        await using var ends = reader.ConfigureAwait(false);
        var size = 0L;
        // Replacing the object removes these chunks, even while they are read: the digest detects it.
        for (var chunk = 0; chunk < info.Chunks && await reader.MoveNextInitialAsync().ConfigureAwait(false); chunk++)
        {
            var message = reader.Current;
            hash.AppendData(message.Data.Span);
            await target.WriteAsync(message.Data, ct).ConfigureAwait(false);
            size += message.Data.Length;
        }
        return size;
    }
}
