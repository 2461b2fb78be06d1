using System.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The subscriptions of one stream: for its subjects and for direct gets. The stream's lock is held.</summary>
internal sealed class StreamSubscriptions(SubjectTree<Subscription> tree)
{
    private readonly List<Subscription> _current = [];
    private readonly Dictionary<(string Subject, bool InGroup), Subscription> _outdated = [];

    /// <summary>Adds subscriptions that exist already.</summary>
    public void TakeOver(List<Subscription> subscriptions) => _current.AddRange(subscriptions);

    /// <summary>Subscribes to a subject.</summary>
    /// <param name="subject">The subject.</param>
    /// <param name="handler">Receives the messages.</param>
    /// <param name="queueGroup">The queue group, or empty.</param>
    public void Add(string subject, IInternalSubscriber handler, ReadOnlySpan<byte> queueGroup)
    {
        if (_outdated.Remove((subject, queueGroup.Length > 0), out var same))
        {
            _current.Add(same);
            return;
        }
        var bytes = Encoding.UTF8.GetBytes(subject);
        var subscription = new Subscription(handler, bytes, queueGroup);
        if (tree.Add(bytes, queueGroup, subscription)) _current.Add(subscription);
    }

    /// <summary>Replaces the subscriptions. Those that stay are not interrupted, and others begin before the old ones end: a message that is
    /// published meanwhile is not lost.</summary>
    /// <param name="subscribe">Calls <see cref="Add"/> for each subscription.</param>
    public void Replace(Action subscribe)
    {
        foreach (var subscription in _current) _outdated[(Encoding.UTF8.GetString(subscription.SubjectBytes), subscription.QueueGroup.Length > 0)] = subscription;
        _current.Clear();
        subscribe();
        foreach (var subscription in _outdated.Values) subscription.Leave(tree);
        _outdated.Clear();
    }

    /// <summary>Ends all subscriptions.</summary>
    public void Clear()
    {
        foreach (var subscription in _current) subscription.Leave(tree);
        _current.Clear();
    }
}
