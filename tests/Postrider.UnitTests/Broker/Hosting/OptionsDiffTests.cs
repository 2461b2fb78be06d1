using System.Reflection;
using Postrider.Broker;
using Postrider.Broker.Hosting;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Hosting;

public sealed class OptionsDiffTests
{
    // What a reload keeps, and what it tells by other words than the option's own.
    private static readonly string[] Apart =
    [
        nameof(BrokerOptions.TimeProvider), nameof(BrokerOptions.LoggerFactory),
        nameof(BrokerOptions.ConfigurationFile), nameof(BrokerOptions.ConfigurationDigest),
    ];

    public static TheoryData<string> Options =>
        [.. typeof(BrokerOptions).GetProperties().Where(property => property.CanWrite && !Apart.Contains(property.Name)).Select(property => property.Name)];

    [Theory]
    [MemberData(nameof(Options))]
    public void Option_that_changed_is_either_taken_over_with_a_line_or_refused(string name)
    {
        var before = new BrokerOptions();
        var after = new BrokerOptions();
        var property = typeof(BrokerOptions).GetProperty(name)!;
        property.SetValue(after, Another(property));

        var refused = OptionsDiff.FindRefused(before, after);
        var told = OptionsDiff.List(before, after).ToArray();

        Assert.True(refused is null ? told.Length == 1 : told.Length == 0, $"{name}: refused '{refused}', told '{string.Join(", ", told)}'");
    }

    [Theory]
    [InlineData("-1 1000", "-1 1000", null)]
    [InlineData("500 1000", "600 2000", null)]
    [InlineData("500 1000", "400 2000", "config reload not supported for decreasing jetstream max memory and store")]
    [InlineData("500 1000", "500 -1", "config reload not supported for decreasing jetstream max memory and store")]
    [InlineData("-1 1000", "500 1000", "config reload not supported for jetstream dynamic max memory and store")]
    public void Limits_of_streams_can_only_be_raised(string before, string after, string? refusal)
    {
        Assert.Equal(refusal, OptionsDiff.FindRefused(With(before), With(after)));

        static BrokerOptions With(string limits) => new() { JetStream = new JetStreamOptions { StoreDirectory = "d", MaxMemoryBytes = long.Parse(limits.Split(' ')[0]), MaxStoreBytes = long.Parse(limits.Split(' ')[1]) } };
    }

    [Fact]
    public void Other_changes_of_streams_name_what_cannot_be_changed()
    {
        var before = new BrokerOptions { JetStream = new JetStreamOptions { StoreDirectory = "d" } };

        Assert.Equal("config reload not supported for jetstream storage directory", OptionsDiff.FindRefused(before, new BrokerOptions { JetStream = new JetStreamOptions { StoreDirectory = "e" } }));
        Assert.Equal("config reload not supported for JetStream: turning it on or off needs a restart", OptionsDiff.FindRefused(before, new BrokerOptions()));
        Assert.Equal(
            "config reload not supported for JetStream: only max_memory_store and max_file_store can be changed without a restart",
            OptionsDiff.FindRefused(before, new BrokerOptions { JetStream = new JetStreamOptions { StoreDirectory = "d", Strict = false } }));
    }

    [Fact]
    public void Change_of_the_cluster_that_needs_a_restart_names_its_key()
    {
        var before = new BrokerOptions { Cluster = new ClusterOptions { Name = "c", Host = "a", Port = 6222 } };

        Assert.Equal("config reload not supported for cluster: adding or removing it needs a restart", OptionsDiff.FindRefused(before, new BrokerOptions()));
        Assert.Equal("config reload not supported for cluster name: old=c, new=d; this change needs a restart", Change(cluster => cluster with { Name = "d" }));
        Assert.Equal("config reload not supported for cluster host: old=a, new=b; this change needs a restart", Change(cluster => cluster with { Host = "b" }));
        Assert.Equal("config reload not supported for cluster port: old=6222, new=6223; this change needs a restart", Change(cluster => cluster with { Port = 6223 }));
        Assert.Equal("config reload not supported for cluster advertise: old=, new=x:1; this change needs a restart", Change(cluster => cluster with { Advertise = "x:1" }));
        Assert.Null(Change(cluster => cluster with { Routes = ["nats-route://b:6222"] }));

        string? Change(Func<ClusterOptions, ClusterOptions> change) => OptionsDiff.FindRefused(before, new BrokerOptions { Cluster = change(before.Cluster!) });
    }

    [Fact]
    public void Equal_options_change_nothing()
    {
        var (before, after) = (Full(), Full());

        Assert.Null(OptionsDiff.FindRefused(before, after));
        Assert.Empty(OptionsDiff.List(before, after));
    }

    [Fact]
    public void Who_is_trusted_and_where_accounts_are_needs_a_restart()
    {
        using var key = NkeyPair.Create(NkeyKind.Operator);
        var token = new OperatorClaims { Subject = key.PublicKey, Name = "op" }.Encode(key);
        var mode = new OperatorModeOptions { Operators = [token], Resolver = new MemoryResolverOptions() };
        var before = new BrokerOptions { OperatorMode = mode };

        Assert.Equal("config reload not supported for TrustedOperators: old=[op], new=[]", OptionsDiff.FindRefused(before, new BrokerOptions()));
        Assert.Equal("config reload not supported for TrustedOperators: old=[], new=[op]", OptionsDiff.FindRefused(new BrokerOptions(), before));
        Assert.Equal("config reload does not support moving to or from an account resolver", OptionsDiff.FindRefused(before, new BrokerOptions { OperatorMode = mode with { Resolver = null } }));
        Assert.Equal(
            "config reload not supported for AccountResolver: old=MEMORY, new=FULL",
            OptionsDiff.FindRefused(before, new BrokerOptions { OperatorMode = mode with { Resolver = new FullResolverOptions { Directory = "d" } } }));
        Assert.Null(OptionsDiff.FindRefused(before, new BrokerOptions { OperatorMode = mode with { PinnedAccounts = ["a"] } }));
    }

    private static BrokerOptions Full() => new()
    {
        ServerTags = ["a"],
        ServerMetadata = new Dictionary<string, string> { ["x"] = "1", ["y"] = "2" },
        Authorization = new AuthorizationOptions { Token = "t" },
        PingInterval = TimeSpan.FromSeconds(7),
    };

    private static object Another(PropertyInfo property) => property.GetValue(new BrokerOptions()) switch
    {
        bool on => !on,
        int number => number + 1,
        long number => number + 1,
        TimeSpan time => time + TimeSpan.FromSeconds(1),
        LoggingOptions logging => logging with { Debug = true },
        AuthThrottleOptions throttle => throttle with { FreeFailures = 5 },
        MonitoringOptions monitoring => monitoring with { Port = 1234 },
        IReadOnlyList<string> => new[] { "other" },
        IReadOnlyList<AccountOptions> => new[] { new AccountOptions { Name = "other" } },
        IReadOnlyDictionary<string, string> => new Dictionary<string, string> { ["other"] = "x" },
        Enum => Enum.ToObject(property.PropertyType, 1),
        null when property.PropertyType == typeof(AuthorizationOptions) => new AuthorizationOptions { Token = "t" },
        null when property.PropertyType == typeof(OperatorModeOptions) => new OperatorModeOptions { TrustedKeys = ["O"] },
        null when property.PropertyType == typeof(string) => "other",
        string text => text + "x",
        null => Activator.CreateInstance(property.PropertyType)!,
        var other => throw new InvalidOperationException($"No other value than {other}."),
    };
}
