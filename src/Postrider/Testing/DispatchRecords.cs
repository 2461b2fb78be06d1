using System.Collections.Concurrent;

namespace Postrider.Testing;

/// <summary>The messages that were sent and published in one container; registered by <c>AddDispatchRecorder</c>.</summary>
/// <remarks>Thread-safe.</remarks>
public sealed class DispatchRecords
{
    private readonly ConcurrentQueue<object> _sent = new();
    private readonly ConcurrentQueue<object> _published = new();
    private readonly ConcurrentQueue<object> _posted = new();

    /// <summary>Requests, commands and stream requests in the order they were sent.</summary>
    public IReadOnlyCollection<object> Sent => _sent;

    /// <summary>Notifications in the order they were published.</summary>
    public IReadOnlyCollection<object> Published => _published;

    /// <summary>Messages in the order they were posted to the background worker.</summary>
    public IReadOnlyCollection<object> Posted => _posted;

    /// <summary>Gets the only message of a type that was sent.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <returns>The message.</returns>
    /// <exception cref="InvalidOperationException">None was sent, or several were; the message lists them.</exception>
    public T SingleSent<T>() => Single<T>(_sent, "sent");

    /// <summary>Gets the only notification of a type that was published.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <returns>The message.</returns>
    /// <exception cref="InvalidOperationException">None was published, or several were; the message lists them.</exception>
    public T SinglePublished<T>() => Single<T>(_published, "published");

    /// <summary>Gets the only message of a type that was posted to the background worker.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <returns>The message.</returns>
    /// <exception cref="InvalidOperationException">None was posted, or several were; the message lists them.</exception>
    public T SinglePosted<T>() => Single<T>(_posted, "posted");

    internal void AddPosted(object message) => _posted.Enqueue(message);

    internal void AddSent(object message) => _sent.Enqueue(message);

    internal void AddPublished(object message) => _published.Enqueue(message);

    private static T Single<T>(ConcurrentQueue<object> all, string verb)
    {
        var found = all.OfType<T>().ToList();
        return found.Count == 1
            ? found[0]
            : throw new InvalidOperationException(
                $"{found.Count} messages of {typeof(T)} were {verb}, expected 1. All: {string.Join(", ", all.Select(m => m.GetType().Name))}.");
    }
}
