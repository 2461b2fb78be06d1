using Postrider.Client.JetStream;

namespace Postrider.Client.KeyValue;

/// <summary>A key's value at one revision.</summary>
/// <typeparam name="T">The value's type.</typeparam>
public sealed class KeyValueEntry<T>
{
    private const string OperationHeader = "KV-Operation";
    private const string MarkerHeader = "Nats-Marker-Reason";

    private readonly T _value;
    private readonly Exception? _error;

    private KeyValueEntry(string bucket, string key, ulong revision, DateTimeOffset created, NatsHeaders? headers, T value, Exception? error)
    {
        Bucket = bucket;
        Key = key;
        Revision = revision;
        Created = created;
        Operation = Read(headers);
        var has = Operation == KeyValueOperation.Put;
        _value = has && error is null ? value : default!;
        _error = has ? error : null;
    }

    /// <summary>The bucket.</summary>
    public string Bucket { get; }

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>The revision, which is greater than those of all earlier changes in the bucket.</summary>
    public ulong Revision { get; }

    /// <summary>The time when it was stored.</summary>
    public DateTimeOffset Created { get; }

    /// <summary>The operation.</summary>
    public KeyValueOperation Operation { get; }

    /// <summary>In a watch, the number of changes that were still pending after this one; otherwise 0.</summary>
    public ulong Pending { get; private init; }

    /// <summary>In a watch, whether this is a change after the initial values.</summary>
    public bool IsUpdate { get; private init; }

    /// <summary>The value; the type's default if the key was deleted or only keys were requested.</summary>
    /// <exception cref="NatsClientException">The serializer could not deserialize it: <see cref="NatsErrorCode.PayloadUnreadable"/>.</exception>
    public T Value => _error is null
        ? _value
        : throw new NatsClientException(NatsErrorCode.PayloadUnreadable, $"The value of key '{Key}' in bucket '{Bucket}' is not a valid {typeof(T)}: {_error.Message}", _error);

    internal static KeyValueEntry<T> Of(string bucket, string key, StoredMessage<T> message)
        => new(bucket, key, message.Sequence, message.Time, message.Headers, message.DataOrDefault, message.Error);

    internal static KeyValueEntry<T> Of(string bucket, string key, in JetStreamMessage<T> message, bool isUpdate, bool hasValue)
    {
        var metadata = message.Metadata;
        var error = hasValue ? message.Error : null;
        return new(bucket, key, metadata.StreamSequence, metadata.Time, message.Headers, message.Error is null ? message.Data : default!, error)
        {
            Pending = metadata.Pending,
            IsUpdate = isUpdate,
        };
    }

    private static KeyValueOperation Read(NatsHeaders? headers)
    {
        if (headers is null) return KeyValueOperation.Put;
        return (headers[OperationHeader], headers[MarkerHeader]) switch
        {
            ("DEL", _) or (_, "Remove") => KeyValueOperation.Delete,
            ("PURGE", _) or (_, not null) => KeyValueOperation.Purge,
            _ => KeyValueOperation.Put,
        };
    }
}
