using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>A stream's subscriptions while its configuration changes.</summary>
public sealed class StreamSubscriptionsTests
{
    private static readonly SilentSubscriber Handler = new();

    private readonly SubjectTree<Subscription> _tree = new Account("A").Subscriptions;
    private readonly StreamSubscriptions _subscriptions;

    public StreamSubscriptionsTests()
    {
        _subscriptions = new StreamSubscriptions(_tree);
        _subscriptions.Add("stays", Handler, []);
        _subscriptions.Add("goes", Handler, []);
        _subscriptions.Add("get", Handler, "g"u8);
    }

    [Fact]
    public void Subscriptions_that_stay_are_not_interrupted_and_others_begin_before_the_old_ones_end()
    {
        var (stays, get) = (Plain("stays"), _tree.Match("get"u8).Groups.Single().Items[0]);

        _subscriptions.Replace(() =>
        {
            _subscriptions.Add("comes", Handler, []);
            Assert.True(IsHeard("goes") && IsHeard("stays") && IsHeard("get") && IsHeard("comes"));
            _subscriptions.Add("stays", Handler, []);
            _subscriptions.Add("get", Handler, "g"u8);
        });

        Assert.Same(stays, Plain("stays"));
        Assert.Same(get, _tree.Match("get"u8).Groups.Single().Items[0]);
        Assert.Equal((false, true), (IsHeard("goes"), IsHeard("comes")));
    }

    [Fact]
    public void A_subject_in_a_queue_group_is_another_subscription()
    {
        _subscriptions.Replace(() => _subscriptions.Add("get", Handler, []));

        Assert.Empty(_tree.Match("get"u8).Groups);
        Assert.Equal(1, _tree.Match("get"u8).Plain.Count);
    }

    [Fact]
    public void All_end()
    {
        _subscriptions.Clear();

        Assert.False(IsHeard("stays") || IsHeard("goes") || IsHeard("get"));
    }

    private Subscription Plain(string subject) => _tree.Match(StreamHarness.Bytes(subject)).Plain.Items[0];

    private bool IsHeard(string subject) => !_tree.Match(StreamHarness.Bytes(subject)).IsEmpty;
}
