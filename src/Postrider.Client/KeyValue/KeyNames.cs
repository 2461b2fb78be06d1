using System.Buffers;

namespace Postrider.Client.KeyValue;

/// <summary>The names of buckets and keys on the wire.</summary>
internal static class KeyNames
{
    private const string StreamPrefix = "KV_";
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static readonly SearchValues<char> InBuckets = SearchValues.Create(Letters);
    private static readonly SearchValues<char> InKeys = SearchValues.Create(Letters + "/=.");
    private static readonly SearchValues<char> InFilters = SearchValues.Create(Letters + "/=.*>");

    public static string Stream(string bucket) => StreamPrefix + bucket;

    public static string Prefix(string bucket) => $"$KV.{bucket}.";

    /// <summary>The stream of a bucket, given the name of either.</summary>
    public static string StreamOf(string name) => IsStream(name) ? name : Stream(name);

    public static string BucketOf(string stream) => IsStream(stream) ? stream[StreamPrefix.Length..] : stream;

    public static bool IsStream(string name) => name.StartsWith(StreamPrefix, StringComparison.Ordinal);

    public static void CheckBucket(string bucket)
    {
        if (string.IsNullOrEmpty(bucket) || bucket.AsSpan().ContainsAnyExcept(InBuckets))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Bucket name '{bucket}' may only contain letters, digits, '-' and '_'.");
    }

    public static void CheckKey(string key) => Check(key, InKeys, "Key");

    public static void CheckFilter(string filter) => Check(filter, InFilters, "Key filter");

    private static void Check(string name, SearchValues<char> allowed, string what)
    {
        if (string.IsNullOrEmpty(name) || name.AsSpan().ContainsAnyExcept(allowed) || name[0] == '.' || name[^1] == '.' || name.Contains("..", StringComparison.Ordinal))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"{what} '{name}' may only contain letters, digits, '-', '_', '/', '=' and single dots, and no dot at its start or end.");
    }
}
