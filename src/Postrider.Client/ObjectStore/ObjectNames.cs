using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace Postrider.Client.ObjectStore;

/// <summary>The names of buckets and objects on the wire.</summary>
internal static class ObjectNames
{
    private const string StreamPrefix = "OBJ_";
    private const string DigestPrefix = "SHA-256=";

    private static readonly SearchValues<char> InBuckets = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    public static string Stream(string bucket) => StreamPrefix + bucket;

    public static string BucketOf(string stream) => stream[StreamPrefix.Length..];

    public static bool IsStream(string name) => name.StartsWith(StreamPrefix, StringComparison.Ordinal);

    public static string Chunks(string bucket, string id) => $"$O.{bucket}.C.{id}";

    public static string AllChunks(string bucket) => Chunks(bucket, "*");

    public static string AllMeta(string bucket) => $"$O.{bucket}.M.>";

    // With padding, like other clients.
    public static string Meta(string bucket, string name) => $"$O.{bucket}.M.{Padded(Encoding.UTF8.GetBytes(name))}";

    public static string Digest(ReadOnlySpan<byte> hash) => DigestPrefix + Padded(hash);

    /// <summary>Whether a digest equals a hash, with or without padding.</summary>
    public static bool IsDigest(string? digest, ReadOnlySpan<byte> hash)
        => digest is not null && digest.AsSpan().TrimEnd('=').SequenceEqual(Digest(hash).AsSpan().TrimEnd('='));

    public static void CheckBucket(string bucket)
    {
        if (string.IsNullOrEmpty(bucket) || bucket.AsSpan().ContainsAnyExcept(InBuckets))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Bucket name '{bucket}' may only contain letters, digits, '-' and '_'.");
    }

    public static void CheckName(string name)
    {
        if (string.IsNullOrEmpty(name)) throw new NatsClientException(NatsErrorCode.InvalidArgument, "The object name is empty.");
    }

    private static string Padded(ReadOnlySpan<byte> bytes)
    {
        var text = Base64Url.EncodeToString(bytes);
        return text.PadRight((text.Length + 3) / 4 * 4, '=');
    }
}
