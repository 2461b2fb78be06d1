using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

public abstract class StreamTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    [Fact]
    public async Task Stream_is_created_found_changed_and_deleted()
    {
        var stream = await StreamAsync(config => config with { Description = "first", Metadata = new Dictionary<string, string> { ["owner"] = "shop" } });

        await stream.UpdateAsync(stream.Info.Config with { Description = "second", MaxAge = TimeSpan.FromHours(1), MaxMessages = 7 }, Ct);
        var found = await Context.GetStreamAsync(Name, ct: Ct);
        await found.DeleteAsync(Ct);
        var gone = await Assert.ThrowsAsync<JetStreamException>(() => Context.GetStreamAsync(Name, ct: Ct));

        Assert.Equal("second", found.Info.Config.Description);
        Assert.Equal(TimeSpan.FromHours(1), found.Info.Config.MaxAge);
        Assert.Equal(7, found.Info.Config.MaxMessages);
        Assert.Equal("shop", found.Info.Config.Metadata!["owner"]);
        Assert.Equal(StreamStorage.Memory, found.Info.Config.Storage);
        Assert.Equal(TimeSpan.FromMinutes(2), found.Info.Config.DuplicateWindow);
        Assert.Equal((404, JetStreamErrors.StreamNotFound, "stream not found"), (gone.ApiCode, gone.ErrorCode, gone.Description));
        Assert.Equal($"STREAM.INFO.{Name}: stream not found (err_code 10059, code 404)", gone.Message);
        Assert.Equal(NatsErrorCode.JetStreamError, gone.Code);
    }

    [Fact]
    public async Task Create_of_the_same_finds_it_and_of_another_is_refused()
    {
        await StreamAsync();

        var again = await StreamAsync();
        var other = await Assert.ThrowsAsync<JetStreamException>(() => StreamAsync(config => config with { Subjects = [$"{Name}.other"] }));
        var changed = await Context.CreateOrUpdateStreamAsync(again.Info.Config with { Subjects = [$"{Name}.other"] }, Ct);
        var made = await Context.CreateOrUpdateStreamAsync(new StreamConfig { Name = $"{Name}_2", Subjects = [$"{Name}_2"], Storage = StreamStorage.Memory }, Ct);

        Assert.Equal(Name, again.Name);
        Assert.Equal(JetStreamErrors.StreamNameInUse, other.ErrorCode);
        Assert.Equal([$"{Name}.other"], changed.Info.Config.Subjects!);
        Assert.Equal($"{Name}_2", made.Name);
    }

    [Fact]
    public async Task Every_field_comes_back()
    {
        var config = new StreamConfig
        {
            Name = Name,
            Description = "all",
            Subjects = [$"{Name}.a", $"{Name}.b"],
            Retention = StreamRetention.Interest,
            Storage = StreamStorage.File,
            MaxConsumers = 5,
            MaxMessages = 100,
            MaxBytes = 1_000_000,
            MaxAge = TimeSpan.FromMinutes(10),
            MaxMessagesPerSubject = 10,
            MaxMessageBytes = 1000,
            Discard = DiscardPolicy.New,
            DiscardNewPerSubject = true,
            DuplicateWindow = TimeSpan.FromSeconds(30),
            Compression = StreamCompression.S2,
            FirstSequence = 1000,
            SubjectTransform = new SubjectTransform { Source = $"{Name}.a", Destination = $"{Name}.b" },
            Republish = new Republish { Source = $"{Name}.b", Destination = $"again.{Name}", HeadersOnly = true },
            AllowDirect = true,
            DenyDelete = true,
            AllowRollup = true,
            ConsumerLimits = new ConsumerLimits { InactiveThreshold = TimeSpan.FromMinutes(1), MaxAckPending = 50 },
            AllowMessageTimeToLive = true,
            AllowAtomicPublish = true,
            Metadata = new Dictionary<string, string> { ["a"] = "1" },
        };

        var found = (await Context.CreateStreamAsync(config, Ct)).Info.Config;

        Assert.Equal("1", found.Metadata!["a"]);
        Assert.Equal(config.Subjects, found.Subjects);
        // Lists compare by reference: what is left are the plain fields and the records.
        Assert.Equal(config with { Subjects = null, Metadata = null }, found with { Subjects = null, Metadata = null });
        Assert.Equal(999UL, (await Context.GetStreamAsync(Name, ct: Ct)).Info.State.LastSequence);
    }

    [Fact]
    public async Task Streams_are_listed_by_subject_and_by_name()
    {
        await StreamAsync();

        var byName = await Context.ListStreamNamesAsync($"{Name}.x", Ct).ToListAsync(Ct);
        var infos = await Context.ListStreamsAsync(ct: Ct).ToListAsync(Ct);
        var found = await Context.FindStreamNameAsync($"{Name}.a.b", Ct);
        var none = await Context.FindStreamNameAsync("no.stream.listens.here", Ct);

        Assert.Equal([Name], byName);
        Assert.Contains(infos, info => info.Config.Name == Name);
        Assert.Equal(Name, found);
        Assert.Null(none);
    }

    [Fact]
    public async Task Info_counts_messages_by_subject()
    {
        var stream = await StreamAsync();
        await PublishAsync(3, "a");
        await PublishAsync(2, "b");
        await stream.DeleteMessageAsync(2, ct: Ct);

        var state = (await stream.RefreshAsync(new StreamDetails { SubjectsFilter = ">", DeletedDetails = true }, Ct)).State;

        Assert.Equal((4UL, 1UL, 5UL), (state.Messages, state.FirstSequence, state.LastSequence));
        Assert.Equal([2UL], state.Deleted!);
        Assert.Equal(2, state.SubjectCount);
        Assert.Equal((2UL, 2UL), (state.Subjects![$"{Name}.a"], state.Subjects[$"{Name}.b"]));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_are_got_by_sequence_subject_and_order(bool direct)
    {
        var stream = await StreamAsync(config => config with { AllowDirect = direct });
        await Context.PublishAsync($"{Name}.a", "one", headers: new NatsHeaders { ["Kind"] = "first" }, ct: Ct);
        await Context.PublishAsync($"{Name}.b", "two", ct: Ct);
        await Context.PublishAsync($"{Name}.a", "three", ct: Ct);

        var first = await stream.GetMessageAsync<string>(1, ct: Ct);
        var last = await stream.GetLastMessageAsync<string>($"{Name}.a", ct: Ct);
        var next = await stream.GetNextMessageAsync<string>($"{Name}.a", 2, ct: Ct);
        var none = await stream.GetMessageAsync<string>(4, ct: Ct);
        var noSubject = await stream.GetLastMessageAsync<string>($"{Name}.c", ct: Ct);

        Assert.Equal(("one", $"{Name}.a", 1UL, "first"), (first!.Data, first.Subject, first.Sequence, first.Headers!["Kind"]));
        Assert.Equal(("three", 3UL), (last!.Data, last.Sequence));
        Assert.Equal(3UL, next!.Sequence);
        Assert.InRange(last.Time, DateTimeOffset.UnixEpoch.AddYears(50), TimeProvider.System.GetUtcNow().AddMinutes(1));
        Assert.Null(none);
        Assert.Null(noSubject);
    }

    [Fact]
    public async Task Several_messages_are_got_with_one_request()
    {
        var stream = await StreamAsync(config => config with { AllowDirect = true });
        foreach (var subject in new[] { "a", "b", "a", "c", "a" }) await Context.PublishAsync($"{Name}.{subject}", subject, ct: Ct);

        var some = await stream.GetMessagesAsync<string>($"{Name}.a", 2, 10, ct: Ct).ToListAsync(Ct);
        var lasts = await stream.GetLastMessagesAsync<string>([$"{Name}.a", $"{Name}.b"], ct: Ct).ToListAsync(Ct);
        var none = await stream.GetMessagesAsync<string>($"{Name}.z", 1, 10, ct: Ct).ToListAsync(Ct);

        Assert.Equal([3UL, 5UL], some.Select(message => message.Sequence));
        Assert.Equal([(2UL, "b"), (5UL, "a")], lasts.Select(message => (message.Sequence, message.Data)));
        Assert.Empty(none);
    }

    [Fact]
    public async Task Purge_takes_by_subject_by_sequence_and_all_but_some()
    {
        var stream = await StreamAsync();
        await PublishAsync(5, "a");
        await PublishAsync(5, "b");

        var keep = await stream.PurgeAsync(new StreamPurge { Subject = $"{Name}.a", Keep = 2 }, Ct);
        var upTo = await stream.PurgeAsync(new StreamPurge { Subject = $"{Name}.b", UpToSequence = 8 }, Ct);
        var rest = await Context.PurgeStreamAsync(Name, ct: Ct);

        Assert.Equal((3UL, 2UL, 5UL), (keep, upTo, rest));
        Assert.Equal(0UL, (await stream.RefreshAsync(ct: Ct)).State.Messages);
    }

    [Fact]
    public async Task Mirror_and_sources_follow_their_origins()
    {
        await StreamAsync();
        await PublishAsync(3);

        var mirror = await Context.CreateStreamAsync(new StreamConfig { Name = $"{Name}_M", Mirror = new StreamSource { Name = Name }, Storage = StreamStorage.Memory }, Ct);
        var gathered = await Context.CreateStreamAsync(
            new StreamConfig
            {
                Name = $"{Name}_G",
                Storage = StreamStorage.Memory,
                Sources = [new StreamSource { Name = Name, SubjectTransforms = [new SubjectTransform { Source = $"{Name}.>", Destination = $"{Name}_G.>" }] }],
            },
            Ct);
        await Eventually.HoldsAsync(async () => (await mirror.RefreshAsync(ct: Ct)).State.Messages >= 3 && (await gathered.RefreshAsync(ct: Ct)).State.Messages >= 3);

        Assert.Equal(Name, mirror.Info.Mirror!.Name);
        Assert.Equal(2, (await mirror.GetMessageAsync<int>(2, ct: Ct))!.Data);
        Assert.Equal($"{Name}_G.n", (await gathered.GetMessageAsync<int>(3, ct: Ct))!.Subject);
    }

    [Fact]
    public async Task Backup_restores_messages_and_consumers()
    {
        var stream = await StreamAsync(config => config with { Storage = StreamStorage.File });
        await PublishAsync(300);
        await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "keeper" }, Ct);
        using var archive = new MemoryStream();

        var backup = await stream.BackupAsync(archive, ct: Ct);
        await stream.DeleteAsync(Ct);
        archive.Position = 0;
        var restored = await Context.RestoreStreamAsync(backup, archive, Ct);

        Assert.Equal(300UL, restored.Info.State.Messages);
        Assert.Equal(300, (await restored.GetMessageAsync<int>(300, ct: Ct))!.Data);
        Assert.Equal(["keeper"], await restored.ListConsumerNamesAsync(Ct).ToListAsync(Ct));
    }

    [Fact]
    public async Task Account_tells_what_is_used()
    {
        await StreamAsync();

        var account = await Context.GetAccountInfoAsync(Ct);

        Assert.True(account.Streams >= 1);
        Assert.True(account.Api.Total > 0);
        Assert.NotEqual(0, account.Limits.MaxStreams);
    }

    [Theory]
    [InlineData("")]
    [InlineData("a.b")]
    [InlineData("a b")]
    [InlineData("a*")]
    public async Task Name_that_would_be_another_subject_is_refused_at_once(string name)
    {
        var error = await Assert.ThrowsAsync<NatsClientException>(() => Context.GetStreamAsync(name, ct: Ct));

        Assert.Equal(NatsErrorCode.InvalidArgument, error.Code);
    }

    [Fact]
    public async Task Domain_that_is_not_there_is_said_to_be_unavailable()
    {
        var elsewhere = Client.CreateJetStreamContext(new JetStreamOptions { Domain = "nowhere" });

        var error = await Assert.ThrowsAsync<NatsClientException>(() => elsewhere.GetAccountInfoAsync(Ct));

        Assert.Equal(NatsErrorCode.JetStreamUnavailable, error.Code);
        Assert.Contains("$JS.nowhere.API.INFO", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Message_outlives_its_own_time_by_nothing()
    {
        var stream = await StreamAsync(config => config with { AllowMessageTimeToLive = true });

        await Context.PublishAsync($"{Name}.short", "x", new PublishOptions { TimeToLive = TimeSpan.FromSeconds(1) }, ct: Ct);
        await Context.PublishAsync($"{Name}.long", "x", new PublishOptions { TimeToLive = TimeSpan.FromSeconds(90) }, ct: Ct);
        await Eventually.HoldsAsync(async () => (await stream.RefreshAsync(ct: Ct)).State.Messages <= 1);

        Assert.Equal("90s", (await stream.GetMessageAsync<string>(2, ct: Ct))!.Headers!["Nats-TTL"]);
    }
}
