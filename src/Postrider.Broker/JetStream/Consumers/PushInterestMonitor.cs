using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Wakes push consumers when the interest in their deliver subject changes.</summary>
/// <remarks>Shape: consumers by the generation of their deliver subject, so that a subscription only costs one look-up.
/// Thread-safe.</remarks>
internal sealed class PushInterestMonitor : ISubjectTreeObserver
{
    // Guards the dictionary.
    private readonly Lock _gate = new();
    private readonly Dictionary<int, List<Consumer>> _byGeneration = [];

    /// <summary>Watches a subject tree.</summary>
    public PushInterestMonitor(SubjectTree<Subscription> tree) => tree.Observer = this;

    /// <summary>Adds a push consumer; it may be added again after its subject changed.</summary>
    public void Add(Consumer consumer)
    {
        lock (_gate)
        {
            var place = SubjectTree<Subscription>.GenerationIndex(consumer.Push!.Target.Subject);
            if (!_byGeneration.TryGetValue(place, out var list)) _byGeneration[place] = list = [];
            list.Add(consumer);
        }
    }

    /// <summary>Removes a push consumer.</summary>
    public void Remove(Consumer consumer)
    {
        lock (_gate)
        {
            foreach (var (place, list) in _byGeneration.ToArray())
            {
                list.Remove(consumer);
                if (list.Count == 0) _byGeneration.Remove(place);
            }
        }
    }

    /// <inheritdoc/>
    public void Changed(ReadOnlySpan<byte> subject)
    {
        lock (_gate)
        {
            if (_byGeneration.Count == 0) return;
            if (subject[0] is (byte)'*' or (byte)'>')
            {
                foreach (var all in _byGeneration.Values) Wake(all, subject);
            }
            else if (_byGeneration.TryGetValue(SubjectTree<Subscription>.GenerationIndex(subject), out var list))
            {
                Wake(list, subject);
            }
        }
    }

    private static void Wake(List<Consumer> consumers, ReadOnlySpan<byte> subject)
    {
        foreach (var consumer in consumers)
        {
            if (Subject.Matches(consumer.Push!.Target.Subject, subject)) consumer.Schedule();
        }
    }
}
