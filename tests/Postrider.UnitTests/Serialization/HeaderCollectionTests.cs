using Postrider.Client;
using Postrider.Rpc;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

/// <summary>What all headers have in common, and the three things in which the protocols differ.</summary>
public sealed class HeaderCollectionTests
{
    public static TheoryData<string> Kinds => ["envelope", "nats", "rpc"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Setting_replaces_in_place_and_null_removes(string kind)
    {
        var headers = Create(kind);
        headers["a"] = "1";
        headers["b"] = "2";

        headers["a"] = "3";
        Assert.Equal([new("a", "3"), new("b", "2")], headers);

        headers["a"] = null;
        Assert.Equal([new("b", "2")], headers);
        Assert.Null(headers["a"]);
        Assert.False(headers.Remove("a"));
    }

    [Theory]
    [InlineData("envelope", 2)]
    [InlineData("nats", 2)]
    [InlineData("rpc", 1)]
    public void Adding_keeps_the_value_that_is_there_unless_a_name_has_only_one(string kind, int values)
    {
        var headers = Create(kind);

        headers.Add("a", "1");
        headers.Add("a", "2");

        Assert.Equal(values, headers.GetValues("a").Count);
        Assert.Equal(values == 1 ? "2" : "1", headers["a"]);
    }

    [Theory]
    [InlineData("envelope", "1")]
    [InlineData("nats", null)]
    [InlineData("rpc", "1")]
    public void Case_of_names_counts_over_NATS_alone(string kind, string? found)
    {
        var headers = Create(kind);

        headers.Add("Name", "1");

        Assert.Equal(found, headers["name"]);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Name_or_value_that_would_be_another_header_is_refused_and_changes_nothing(string kind)
    {
        var headers = Create(kind);
        headers["a"] = "1";

        Assert.ThrowsAny<Exception>(() => headers.Add("a", "x\r\nb: y"));
        Assert.ThrowsAny<Exception>(() => headers["a"] = "x\r\nb: y");
        Assert.ThrowsAny<Exception>(() => headers.Add("a:b", "x"));
        Assert.ThrowsAny<Exception>(() => headers.Add("", "x"));

        Assert.Equal([new("a", "1")], headers);
    }

    [Fact]
    public void Setting_removes_the_other_values_of_a_name()
    {
        var headers = new Headers { { "a", "1" }, { "b", "2" }, { "A", "3" } };

        headers["a"] = "4";

        Assert.Equal([new("a", "4"), new("b", "2")], headers);
    }

    [Fact]
    public void Enumeration_allocates_nothing()
    {
        var headers = new NatsHeaders { { "a", "1" }, { "b", "2" } };

        Assert.Equal(0, Allocations.PerCall(() => Count(headers), warmUp: 100));
    }

    private static int Count(NatsHeaders headers)
    {
        var count = 0;
        foreach (var (name, value) in headers)
            count += name.Length + value.Length;
        return count;
    }

    private static HeaderCollection Create(string kind) => kind switch
    {
        "envelope" => new Headers(),
        "nats" => new NatsHeaders(),
        _ => new RpcHeaders(),
    };
}
