using System.Text;
using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Broker.Accounts;

/// <summary>The sources of an account's mappings as other servers know them.</summary>
public sealed class MappedInterestTests
{
    [Fact]
    public void Sources_of_mappings_are_announced_with_the_subscriptions()
    {
        var account = new Account(With("orders.*", "plain"));
        var map = new Recording();
        account.Subscriptions.Add("o.x"u8, [], new Subscription(new SilentSubscriber(), "o.x"u8, []));

        account.Interest.Attach(map);

        Assert.Equal(["LS+ o.x", "LS+ orders.*", "LS+ plain"], map.Take());
    }

    [Fact]
    public void Changed_mappings_are_announced_on_open_connections()
    {
        var account = new Account(With("stays", "goes"));
        var (first, second) = (new Recording(), new Recording());
        account.Interest.Attach(first);
        _ = first.Take();

        account.Update(With("stays", "comes"));
        account.Interest.Attach(second);

        Assert.Equal(["LS+ comes", "LS- goes"], first.Take());
        Assert.Equal(["LS+ comes", "LS+ stays"], second.Take());
        account.Update(With());
        Assert.Equal(["LS- comes", "LS- stays"], first.Take());
        Assert.Equal(["LS- comes", "LS- stays"], second.Take());
    }

    [Fact]
    public void Mappings_that_changed_while_nothing_was_connected_are_the_new_ones()
    {
        var account = new Account(With("before"));
        var map = new Recording();
        account.Interest.Attach(map);
        account.Interest.Detach(map);
        account.Update(With("after"));
        var next = new Recording();

        account.Interest.Attach(next);

        Assert.Equal(["LS+ after"], next.Take());
    }

    private static AccountOptions With(params string[] sources)
        => new() { Name = "A", Mappings = [.. sources.Select(static source => new SubjectMappingOptions { Source = source, Destinations = [new SubjectMappingDestination("to")] })] };

    private sealed class Recording() : InterestMap(PeerKind.LeafNode, [])
    {
        private readonly StringBuilder _sent = new();

        /// <summary>The frames since the last call in the order of their text, without the subject of loop detection.</summary>
        public IEnumerable<string> Take()
        {
            var lines = _sent.ToString().Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
            _sent.Clear();
            return lines.Where(static line => !line.Contains("$LDS", StringComparison.Ordinal)).Order(StringComparer.Ordinal);
        }

        protected override bool Concerns(Subscription subscription) => true;

        protected override void Send(ReadOnlySpan<byte> frames) => _sent.Append(Encoding.ASCII.GetString(frames));
    }
}
