using System.Buffers.Text;
using System.Text;
using System.Text.Json.Nodes;
using Postrider.Broker.Trust;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Trust;

public sealed class AccountTokenJsonTests
{
    private const string Empty = """{"limits":{},"default_permissions":{"pub":{},"sub":{}},"authorization":{}}""";

    // The details of a token, and the shown members.
    public static TheoryData<string, string> Details => new()
    {
        { "{}", Empty },
        { """{"unknown":1,"imports":[],"exports":null,"revocations":{},"description":"","tags":[],"mappings":{}}""", Empty },
        { """{"type":"account","version":2,"tags":["a"]}""", With("\"tags\":[\"a\"],\"type\":\"account\",\"version\":2") },
        { """{"limits":{"subs":0,"conn":-1,"wildcards":false,"disallow_bearer":true,"x":1}}""", Empty.Replace("\"limits\":{}", "\"limits\":{\"disallow_bearer\":true,\"conn\":-1}", StringComparison.Ordinal) },
        {
            """{"limits":{"mem_storage":5,"max_ack_pending":-1,"tiered_limits":{"R1":{"disk_storage":-1,"streams":0}}}}""",
            Empty.Replace("\"limits\":{}", "\"limits\":{\"tiered_limits\":{\"R1\":{\"disk_storage\":-1}}}", StringComparison.Ordinal)
        },
        { """{"limits":{"mem_storage":5,"max_ack_pending":-1,"tiered_limits":{}}}""", Empty.Replace("\"limits\":{}", "\"limits\":{\"mem_storage\":5,\"max_ack_pending\":-1}", StringComparison.Ordinal) },
        { """{"exports":[{"subject":"s","type":"service","service_latency":{"results":"r"},"token_req":false}]}""", With("\"exports\":[{\"subject\":\"s\",\"type\":\"service\",\"service_latency\":{\"sampling\":\"headers\",\"results\":\"r\"}}]") },
        { """{"default_permissions":{"resp":{},"pub":{"allow":["a"],"deny":[]}}}""", Empty.Replace("\"pub\":{},\"sub\":{}", "\"pub\":{\"allow\":[\"a\"]},\"sub\":{},\"resp\":{\"max\":0,\"ttl\":0}", StringComparison.Ordinal) },
        { """{"mappings":{"m":[{"subject":"n","weight":0}]}}""", With("\"mappings\":{\"m\":[{\"subject\":\"n\"}]}") },
        { """{"trace":{"dest":"t","sampling":0}}""", With("\"trace\":{\"dest\":\"t\",\"sampling\":100}") },
        { """{"signing_keys":["B","A","B"]}""", With("\"signing_keys\":[\"A\",\"B\"]") },
        {
            """{"signing_keys":[{"kind":"user_scope","key":"K","template":{"src":"192.0.2.0/24,198.51.100.0/24","subs":0,"data":7}}]}""",
            With("\"signing_keys\":[{\"kind\":\"user_scope\",\"key\":\"K\",\"role\":\"\",\"template\":{\"pub\":{},\"sub\":{},\"src\":[\"192.0.2.0/24\",\"198.51.100.0/24\"],\"data\":7,\"payload\":-1},\"description\":\"\"}]")
        },
    };

    [Theory]
    [MemberData(nameof(Details))]
    public void Details_take_the_form_of_nats_server(string details, string expected)
    {
        var shown = AccountTokenJson.Describe(Token($$"""{"sub":"A","exp":0,"extra":1,"nats":{{details}}}"""));

        AssertEqual($$"""{"sub":"A","nats":{{expected}}}""", shown);
    }

    [Fact]
    public void Version_1_takes_the_form_of_version_2()
    {
        var shown = AccountTokenJson.Describe(Token("""{"sub":"A","type":"account","tags":["t"],"nats":{"limits":{"conn":1,"mem_storage":5},"mappings":{"a":[{"subject":"b"}]},"default_permissions":{"pub":{"allow":["x"]}}}}"""));

        var expected = With("\"tags\":[\"t\"],\"type\":\"account\",\"version\":1").Replace("\"limits\":{}", "\"limits\":{\"conn\":1}", StringComparison.Ordinal);
        AssertEqual($$"""{"sub":"A","nats":{{expected}}}""", shown);
    }

    [Fact]
    public void Own_tokens_are_shown_as_they_are()
    {
        using var authority = NkeyPair.Create(NkeyKind.Operator);
        using var account = NkeyPair.Create(NkeyKind.Account);
        var token = new AccountClaims
        {
            Subject = account.PublicKey,
            Name = "shop",
            Tags = ["a"],
            Exports = [new AccountExport { Subject = "s", Kind = ExportKind.Service, Latency = new ServiceLatency(20, "l") }],
            Limits = new AccountLimits { MaxConnections = 5, JetStream = new JetStreamClaimLimits { DiskBytes = 9 } },
            SigningKeys = [new AccountSigningKey(account.PublicKey, new UserScope { Role = "r" })],
            Trace = new MessageTrace("t", 10),
        }.Encode(authority);

        AssertEqual(Encoding.UTF8.GetString(Base64Url.DecodeFromChars(token.Split('.')[1])), AccountTokenJson.Describe(token));
    }

    private static string With(string members) => $"{Empty[..^1]},{members}}}";

    private static string Token(string claims) => $"e30.{Base64Url.EncodeToString(Encoding.UTF8.GetBytes(claims))}.e30";

    // The order of members has no meaning.
    private static void AssertEqual(string expected, JsonObject shown)
        => Assert.True(JsonNode.DeepEquals(JsonNode.Parse(expected), JsonNode.Parse(shown.ToJsonString())), shown.ToJsonString());
}
