using System.Text;
using Postrider.Broker.Subjects;

namespace Postrider.UnitTests.Broker.Subjects;

public sealed class MatchCacheTests
{
    // Of 100,000 look-ups. The hash has another seed in each process: one process in 70 has five of 100 subjects in a set of
    // four places, and those five miss up to 5,000 times.
    private const long MaxMisses = 12_000;

    private readonly SubjectTree<string> _tree = new();
    private readonly MatchCache<string> _cache = new();

    [Fact]
    public void The_second_look_up_is_answered_from_the_cache()
    {
        _tree.Add("foo"u8, [], "item");

        var first = _cache.Find(_tree, "foo"u8);
        var second = _cache.Find(_tree, "foo"u8);

        Assert.Same(first, second);
        Assert.Equal((1, 1), (_cache.Hits, _cache.Misses));
    }

    [Fact]
    public void A_subscription_is_seen_at_once()
    {
        Assert.True(_cache.Find(_tree, "foo.bar"u8).IsEmpty);

        _tree.Add("foo.*"u8, [], "item");

        Assert.Equal(["item"], _cache.Find(_tree, "foo.bar"u8).Plain.Span.ToArray());
    }

    [Fact]
    public void Another_account_has_its_own_matches()
    {
        var other = new SubjectTree<string>();
        other.Add("foo"u8, [], "theirs");
        _tree.Add("foo"u8, [], "ours");

        var found = new[] { _cache.Find(_tree, "foo"u8), _cache.Find(other, "foo"u8), _cache.Find(other, "foo"u8), _cache.Find(_tree, "foo"u8) };

        Assert.Equal(["ours", "theirs", "theirs", "ours"], found.Select(result => result.Plain.Items[0]));
    }

    [Fact]
    public void Subjects_that_come_once_do_not_push_out_a_busy_one()
    {
        _tree.Add(">"u8, [], "item");
        _cache.Find(_tree, "busy"u8);

        for (var i = 0; i < 100_000; i++)
        {
            _cache.Find(_tree, Encoding.UTF8.GetBytes($"_INBOX.once.{i}"));
            _cache.Find(_tree, "busy"u8);
        }

        Assert.Equal(100_000, _cache.Hits);
    }

    // The last words differ in nothing but their last characters: the places must not be those of the first characters.
    [Theory]
    [InlineData("wild.{0}")]
    [InlineData("bench.wild.{0}")]
    [InlineData("orders.of.the.shop.{0}")]
    [InlineData("sensors.{0}.temperature")]
    [InlineData("{0}")]
    public void A_hundred_subjects_that_take_turns_are_all_kept(string form)
    {
        _tree.Add(">"u8, [], "item");
        var subjects = Enumerable.Range(0, 100).Select(number => Encoding.UTF8.GetBytes(string.Format(form, number))).ToArray();

        for (var round = 0; round < 1_000; round++)
            foreach (var subject in subjects) _cache.Find(_tree, subject);

        Assert.InRange(_cache.Misses, 100, MaxMisses);
    }

    [Fact]
    public void Subjects_that_come_once_leave_room_for_the_ones_that_take_turns()
    {
        _tree.Add(">"u8, [], "item");
        for (var i = 0; i < 100_000; i++) _cache.Find(_tree, Encoding.UTF8.GetBytes($"_INBOX.once.{i}"));
        var before = _cache.Misses;
        var subjects = Enumerable.Range(0, 100).Select(number => Encoding.UTF8.GetBytes($"orders.{number}")).ToArray();

        for (var round = 0; round < 1_000; round++)
            foreach (var subject in subjects) _cache.Find(_tree, subject);

        Assert.InRange(_cache.Misses - before, 100, MaxMisses);
    }

    [Fact]
    public void A_subject_longer_than_a_place_is_matched_all_the_same()
    {
        var subject = Encoding.UTF8.GetBytes(new string('x', 200));
        _tree.Add(subject, [], "item");

        var found = _cache.Find(_tree, subject);

        Assert.Equal("item", found.Plain.Items[0]);
    }

    [Theory]
    [InlineData("$JS.ACK.>", "$JS.ACK.S.C.1.{0}.{0}.1700000000000000000.9")]
    [InlineData("orders.*.>", "orders.new.{0}.of.several")]
    [InlineData("_INBOX.one.*", "_INBOX.one.{0}")]
    [InlineData("_INBOX.one.*", "_INBOX.nobody.{0}.more")]
    public void Subjects_of_which_only_the_beginning_decides_are_matched_once(string pattern, string form)
    {
        _tree.Add(Encoding.UTF8.GetBytes(pattern), [], "item");
        _tree.Add("other.>"u8, [], "another");
        _tree.Add("other.last"u8, [], "literal");
        _tree.Add("_INBOX.two.last"u8, [], "literal");

        for (var i = 0; i < 1_000; i++) _cache.Find(_tree, Encoding.UTF8.GetBytes(string.Format(form, i)));

        Assert.Equal((999, 1), (_cache.Hits, _cache.Misses));
    }

    [Theory]
    [InlineData("$JS.ACK.S.C.2")]
    [InlineData("$JS.ACK.S.>")]
    [InlineData("$JS.ACK.*.C.2")]
    [InlineData("$JS.>")]
    [InlineData(">")]
    public void Subject_with_a_known_beginning_finds_who_subscribes_later(string pattern)
    {
        _tree.Add("$JS.ACK.>"u8, [], "first");
        _cache.Find(_tree, "$JS.ACK.S.C.1"u8);

        _tree.Add(Encoding.UTF8.GetBytes(pattern), [], "second");

        Assert.Equal(["first", "second"], _cache.Find(_tree, "$JS.ACK.S.C.2"u8).Plain.Span.ToArray().Order());
    }

    [Theory]
    [InlineData("$JS.ACK.")]
    [InlineData("$JS.ACK..S")]
    [InlineData("$JS.ACK.S.")]
    public void Subject_with_an_empty_token_after_a_known_beginning_reaches_nobody(string subject)
    {
        _tree.Add("$JS.ACK.>"u8, [], "item");
        _cache.Find(_tree, "$JS.ACK.S.C.1"u8);

        Assert.True(_cache.Find(_tree, Encoding.UTF8.GetBytes(subject)).IsEmpty);
        Assert.False(_cache.Find(_tree, "$JS.ACK.S.C.2"u8).IsEmpty);
    }

    [Fact]
    public void Subject_with_a_known_beginning_and_more_tokens_has_its_own_match()
    {
        _tree.Add("_INBOX.one.*"u8, [], "item");
        _cache.Find(_tree, "_INBOX.one.1"u8);

        Assert.True(_cache.Find(_tree, "_INBOX.one.2.3"u8).IsEmpty);
        Assert.False(_cache.Find(_tree, "_INBOX.one.2"u8).IsEmpty);
        Assert.True(_cache.Find(_tree, "_INBOX.one."u8).IsEmpty);
    }

    [Fact]
    public void Subject_with_an_empty_token_does_not_decide_for_others()
    {
        _tree.Add("$JS.ACK.>"u8, [], "item");
        _cache.Find(_tree, "$JS.ACK.S..C"u8);

        Assert.False(_cache.Find(_tree, "$JS.ACK.S.C.2"u8).IsEmpty);
    }

    [Fact]
    public void Random_look_ups_find_what_the_tree_finds()
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        SubjectTree<string>[] trees = [_tree, new()];
        var items = new List<(SubjectTree<string> Tree, byte[] Subject, string Item)>();

        for (var step = 0; step < 50_000; step++)
        {
            if (random.Next(20) == 0)
            {
                var tree = trees[random.Next(2)];
                var pattern = RandomSubject(random, wildcards: true);
                var item = $"item {step}";
                if (tree.Add(pattern, [], item)) items.Add((tree, pattern, item));
            }
            if (items.Count > 0 && random.Next(20) == 0)
            {
                var (tree, pattern, item) = items[random.Next(items.Count)];
                Assert.True(tree.Remove(pattern, [], item), $"seed {seed}, step {step}");
                items.Remove((tree, pattern, item));
            }
            var searched = trees[random.Next(2)];
            var subject = RandomSubject(random, wildcards: false);
            string[] expected = [.. searched.Match(subject).Plain.Span.ToArray().Order()];
            string[] found = [.. _cache.Find(searched, subject).Plain.Span.ToArray().Order()];
            Assert.True(expected.SequenceEqual(found), $"seed {seed}, step {step}, subject {Encoding.UTF8.GetString(subject)}");
        }
    }

    private static byte[] RandomSubject(Random random, bool wildcards)
    {
        var tokens = Enumerable.Range(0, random.Next(1, 6)).Select(_ => random.Next(12) switch
        {
            < 2 when wildcards => "*",
            < 4 when wildcards => ">",
            4 when !wildcards => "",
            var n => $"t{n % 3}",
        });
        return Encoding.UTF8.GetBytes(string.Join('.', tokens));
    }

    [Fact]
    public void A_look_up_allocates_nothing()
    {
        _tree.Add("foo.*"u8, [], "item");
        var subject = "foo.bar"u8.ToArray();
        var unique = 0;

        Assert.Equal(0, Allocations.PerCall(() => _cache.Find(_tree, subject)));
        Assert.Equal(0, Allocations.PerCall(() =>
        {
            Span<byte> inbox = stackalloc byte[12];
            "foo."u8.CopyTo(inbox);
            BitConverter.TryWriteBytes(inbox[4..], 0x6161616161616161 + (unique++ * 0x01010101L));
            _cache.Find(_tree, inbox);
        }));
    }
}
