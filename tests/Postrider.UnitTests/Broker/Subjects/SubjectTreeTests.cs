using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Broker.Subjects;

public sealed class SubjectTreeTests
{
    [Theory]
    [InlineData("foo", "foo", true)]
    [InlineData("foo.bar", "foo.*", true)]
    [InlineData("foo.bar", "*.bar", true)]
    [InlineData("foo.bar", "foo.>", true)]
    [InlineData("foo.bar.baz", "foo.>", true)]
    [InlineData("foo.bar.baz", ">", true)]
    [InlineData("foo", "foo.>", false)]
    [InlineData("foo.bar.baz", "foo.*", false)]
    [InlineData("foo.bar", "*.*", true)]
    [InlineData("foo.bar", "foo.baz", false)]
    [InlineData("foo..bar", "foo.>", false)]
    [InlineData("foo.", "foo.>", false)]
    [InlineData(".foo", ">", false)]
    [InlineData("foo.*", "foo.*", true)]
    [InlineData("foo.*", "foo.bar", false)]
    public void A_subject_reaches_what_its_pattern_says(string subject, string pattern, bool reaches)
    {
        var tree = new SubjectTree<string>();
        tree.Add(Bytes(pattern), [], "item");

        var result = tree.Match(Bytes(subject));

        Assert.Equal(reaches ? ["item"] : [], result.Plain.Span.ToArray());
    }

    [Theory]
    [InlineData("a.1", "a.1")]
    [InlineData("a.1", "a.*")]
    [InlineData("a.1", ">")]
    public void A_reader_does_not_wait_for_a_writer_of_other_items(string subject, string pattern)
    {
        var tree = new SubjectTree<string>();
        tree.Add(Bytes(pattern), [], "item");
        string[] found = [];

        // While the writers' lock is held, the match of the node is made for the first time.
        tree.Hold(tree, held =>
        {
            var reader = new Thread(() => found = held.Match(Bytes(subject)).Plain.Span.ToArray());
            reader.Start();
            Assert.True(reader.Join(TimeSpan.FromSeconds(30)), "the reader waits for the writers' lock");
        });

        Assert.Equal(["item"], found);
    }

    [Fact]
    public void Items_of_a_subject_are_one_or_many()
    {
        var tree = new SubjectTree<string>();
        var items = Enumerable.Range(0, 40).Select(static i => $"item {i}").ToArray();

        for (var i = 0; i < items.Length; i++)
        {
            tree.Add(Bytes("a"), [], items[i]);
            Assert.Equal(items[..(i + 1)], tree.Match(Bytes("a")).Plain.Span.ToArray());
        }
        for (var left = items.Length; left > 0; left--)
        {
            Assert.True(tree.Remove(Bytes("a"), [], items[left - 1]));
            Assert.False(tree.Remove(Bytes("a"), [], items[left - 1]));
            Assert.Equal(items[..(left - 1)], tree.Match(Bytes("a")).Plain.Span.ToArray().Order(StringComparer.Ordinal).OrderBy(static item => item.Length));
        }
        Assert.Equal(0, tree.Count);
    }

    [Theory]
    [InlineData("")]
    [InlineData("foo..bar")]
    [InlineData(".foo")]
    [InlineData("foo.")]
    [InlineData("foo.>.bar")]
    public void A_malformed_subject_is_refused(string subject)
    {
        var tree = new SubjectTree<string>();

        var added = tree.Add(Bytes(subject), [], "item");

        Assert.False(added);
        Assert.Equal(0, tree.Count);
    }

    [Fact]
    public void One_queue_group_over_several_patterns_is_one_group()
    {
        var tree = new SubjectTree<string>();
        tree.Add("foo.*"u8, "workers"u8, "a");
        tree.Add("foo.bar"u8, "workers"u8, "b");
        tree.Add(">"u8, "others"u8, "c");

        var result = tree.Match("foo.bar"u8);

        Assert.Equal(2, result.Groups.Length);
        Assert.Equal(["a", "b"], result.Groups.Single(group => group.Count == 2).Span.ToArray().Order());
    }

    [Theory]
    [InlineData("")]
    [InlineData("workers")]
    public void Many_items_of_one_subject_come_and_go_in_any_order(string queueGroup)
    {
        var tree = new SubjectTree<string>();
        var random = new Random(7);
        var expected = new List<string>();

        for (var step = 0; step < 4_000; step++)
        {
            // More come than go at first, later more go than come.
            if (expected.Count == 0 || random.Next(4_000) > step)
            {
                expected.Add($"item {step}");
                tree.Add("foo"u8, Bytes(queueGroup), expected[^1]);
            }
            else
            {
                var place = random.Next(expected.Count);
                Assert.True(tree.Remove("foo"u8, Bytes(queueGroup), expected[place]));
                expected.RemoveAt(place);
            }
            if (random.Next(8) > 0) continue;
            var result = tree.Match("foo"u8);
            var found = queueGroup.Length == 0 ? result.Plain.Span : result.Groups.SingleOrDefault().Span;
            Assert.Equal(expected.Order(), found.ToArray().Order());
        }

        Assert.Equal(expected.Count, tree.Count);
    }

    [Fact]
    public void A_match_in_hand_keeps_its_items_while_others_come_and_go()
    {
        var tree = new SubjectTree<string>();
        var items = Enumerable.Range(0, 100).Select(static i => $"item {i}").ToArray();
        foreach (var item in items) tree.Add("foo"u8, [], item);
        var before = tree.Match("foo"u8);

        foreach (var item in items) tree.Remove("foo"u8, [], item);
        tree.Add("foo"u8, [], "late");

        Assert.Equal(items, before.Plain.Span.ToArray());
        Assert.Equal(["late"], tree.Match("foo"u8).Plain.Span.ToArray());
    }

    [Fact]
    public void Many_queue_groups_of_one_subject_come_and_go_in_any_order()
    {
        var tree = new SubjectTree<string>();
        var random = new Random(7);
        var expected = Enumerable.Range(0, 200).Select(static i => $"group {i}").ToList();
        foreach (var group in expected) tree.Add("foo"u8, Bytes(group), group);

        while (expected.Count > 0)
        {
            var groups = tree.Match("foo"u8).Groups;
            Assert.Equal(expected.Order(), groups.Select(static group => Encoding.UTF8.GetString(group.QueueGroup)).Order());
            Assert.All(groups, static group => Assert.Equal([Encoding.UTF8.GetString(group.QueueGroup)], group.Span.ToArray()));
            var place = random.Next(expected.Count);
            Assert.True(tree.Remove("foo"u8, Bytes(expected[place]), expected[place]));
            expected.RemoveAt(place);
        }

        Assert.True(tree.Match("foo"u8).IsEmpty);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Leaving_with_many_items_of_one_subject_does_not_cost_their_square(bool inGroups)
    {
        var tree = new SubjectTree<string>();
        var items = Enumerable.Range(0, 20_000).Select(static i => $"item {i}").ToArray();
        var before = GC.GetAllocatedBytesForCurrentThread();

        foreach (var item in items) tree.Add("foo"u8, inGroups ? Bytes(item) : [], item);
        foreach (var item in items) tree.Remove("foo"u8, inGroups ? Bytes(item) : [], item);

        // Copying the rest at each change would be 20,000 times 80 KB on average.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 40_000_000);
    }

    [Theory]
    [InlineData(">")]
    [InlineData("*")]
    [InlineData("a")]
    public void A_subject_of_100_000_tokens_is_added_matched_and_removed_on_a_small_stack(string last)
    {
        var tree = new SubjectTree<string>();
        var subject = Bytes(string.Concat(Enumerable.Repeat("a.", 100_000)) + "a");
        var any = Bytes(string.Concat(Enumerable.Repeat("*.", 100_000)) + last);
        var mixed = Bytes("*." + string.Concat(Enumerable.Repeat("a.", 99_999)) + last);
        string[] found = [];
        var empty = false;

        var thread = new Thread(
            () =>
            {
                tree.Add(any, [], "any");
                tree.Add(mixed, [], "mixed");
                found = tree.Match(subject).Plain.Span.ToArray();
                empty = tree.Remove(any, [], "any") & tree.Remove(mixed, [], "mixed") && tree.Match(subject).IsEmpty;
            },
            maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();

        Assert.Equal(["any", "mixed"], found.Order());
        Assert.True(empty);
    }

    [Fact]
    public void A_subject_that_ends_in_an_empty_token_leaves_nothing_behind_for_the_next_walk()
    {
        var tree = new SubjectTree<string>();
        tree.Add("*.*.c"u8, [], "any");
        tree.Add("a.b.>"u8, [], "tail");
        tree.Add("a.*.c"u8, [], "middle");

        var malformed = tree.Match("a.b..c"u8);
        var next = tree.Match("a.b.c"u8);
        var other = tree.Match("x.y.d"u8);

        Assert.True(malformed.IsEmpty);
        Assert.Equal(["any", "middle", "tail"], next.Plain.Span.ToArray().Order());
        Assert.True(other.IsEmpty);
    }

    [Fact]
    public void A_change_raises_the_generation_of_the_subjects_it_concerns_only()
    {
        var tree = new SubjectTree<string>();
        var orders = SubjectTree<string>.GenerationIndex("orders.1"u8);
        var other = SubjectTree<string>.GenerationIndex(Bytes(FirstTokenElsewhere(orders)));
        var (ordersBefore, otherBefore) = (tree.GenerationAt(orders), tree.GenerationAt(other));

        tree.Add("orders.*"u8, [], "item");

        Assert.NotEqual(ordersBefore, tree.GenerationAt(orders));
        Assert.Equal(otherBefore, tree.GenerationAt(other));
    }

    [Fact]
    public void A_pattern_that_begins_with_a_wildcard_raises_every_generation()
    {
        var tree = new SubjectTree<string>();
        var index = SubjectTree<string>.GenerationIndex("orders.1"u8);
        var before = tree.GenerationAt(index);

        tree.Add("*.1"u8, [], "item");

        Assert.NotEqual(before, tree.GenerationAt(index));
    }

    [Fact]
    public void Random_changes_match_as_a_plain_list_does()
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        var tree = new SubjectTree<Item>();
        var items = new List<Item>();

        for (var step = 0; step < 20_000; step++)
        {
            if (items.Count < 40 || random.Next(2) == 0)
            {
                var item = new Item(RandomSubject(random, wildcards: true), random.Next(4) == 0 ? $"q{random.Next(2)}" : "");
                if (Subject.IsValid(Bytes(item.Pattern)) && tree.Add(Bytes(item.Pattern), Bytes(item.Queue), item)) items.Add(item);
            }
            else
            {
                var item = items[random.Next(items.Count)];
                Assert.True(tree.Remove(Bytes(item.Pattern), Bytes(item.Queue), item), $"seed {seed}, step {step}");
                items.Remove(item);
            }
            var subject = RandomSubject(random, wildcards: false);
            var result = tree.Match(Bytes(subject));
            var expected = items.Where(item => Subject.Matches(Bytes(subject), Bytes(item.Pattern))).ToHashSet();
            var found = result.Plain.Span.ToArray().Concat(result.Groups.SelectMany(group => group.Span.ToArray())).ToArray();
            Assert.True(expected.SetEquals(found) && expected.Count == found.Length, $"seed {seed}, step {step}, subject {subject}");
            Assert.Equal(items.Count, tree.Count);
        }
    }

    [Fact]
    public async Task Readers_never_miss_what_stays_while_others_come_and_go()
    {
        var tree = new SubjectTree<string>();
        tree.Add("stay.here"u8, [], "literal");
        tree.Add("stay.*"u8, [], "pattern");
        using var done = new CancellationTokenSource();
        var writer = Task.Run(
            () =>
            {
                for (var i = 0; i < 50_000; i++)
                {
                    var subject = Bytes($"stay.{i % 97}");
                    tree.Add(subject, [], "guest");
                    tree.Add("stay.here"u8, [], "guest");
                    tree.Remove(subject, [], "guest");
                    tree.Remove("stay.here"u8, [], "guest");
                }
                done.Cancel();
            },
            TestContext.Current.CancellationToken);

        var looks = 0;
        while (!done.IsCancellationRequested)
        {
            var found = tree.Match("stay.here"u8).Plain.Span.ToArray();
            Assert.Contains("literal", found);
            Assert.Contains("pattern", found);
            looks++;
        }
        await writer;

        Assert.True(looks > 0);
        Assert.Equal(2, tree.Count);
    }

    private static string FirstTokenElsewhere(int index)
    {
        for (var i = 0; ; i++)
            if (SubjectTree<string>.GenerationIndex(Bytes($"token{i}.1")) != index) return $"token{i}.1";
    }

    private static string RandomSubject(Random random, bool wildcards)
    {
        var tokens = Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(10) switch
        {
            0 when wildcards => "*",
            1 when wildcards => ">",
            var n => $"t{n % 3}",
        });
        return string.Join('.', tokens);
    }

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    private sealed record Item(string Pattern, string Queue)
    {
        private readonly Guid _id = Guid.NewGuid();

        public bool Equals(Item? other) => other?._id == _id;

        public override int GetHashCode() => _id.GetHashCode();
    }
}
