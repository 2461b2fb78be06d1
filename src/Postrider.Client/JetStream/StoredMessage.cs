
namespace Postrider.Client.JetStream;

/// <summary>A message that is stored in a stream.</summary>
/// <typeparam name="T">The payload's type.</typeparam>
public sealed class StoredMessage<T>
{
    private readonly T _data;
    private readonly Exception? _error;

    internal StoredMessage(string subject, ulong sequence, DateTimeOffset time, NatsHeaders? headers, T data, Exception? error)
    {
        Subject = subject;
        Sequence = sequence;
        Time = time;
        Headers = headers;
        _data = data;
        _error = error;
    }

    /// <summary>The subject.</summary>
    public string Subject { get; }

    /// <summary>Its sequence.</summary>
    public ulong Sequence { get; }

    /// <summary>The time when it was stored.</summary>
    public DateTimeOffset Time { get; }

    /// <summary>The headers, or null.</summary>
    public NatsHeaders? Headers { get; }

    internal T DataOrDefault => _data;

    internal Exception? Error => _error;

    /// <summary>The payload.</summary>
    /// <exception cref="NatsClientException">The serializer could not deserialize it.</exception>
    public T Data => _error is null
        ? _data
        : throw new NatsClientException(NatsErrorCode.PayloadUnreadable, $"The payload of message {Sequence} on '{Subject}' is not a valid {typeof(T)}: {_error.Message}", _error);
}
