using Postrider.Broker;

namespace Postrider.UnitTests.Broker.Configuration;

public sealed class SharingBinderTests
{
    private static readonly TimeSpan TwoMinutes = TimeSpan.FromMinutes(2);

    public static TheoryData<string, ExportOptions> Exports => new()
    {
        { "stream: \"a.>\"", new() { Type = ExportType.Stream, Subject = "a.>" } },
        { "stream: a, accounts: [A, B]", new() { Type = ExportType.Stream, Subject = "a", Accounts = ["A", "B"] } },
        { "ACCOUNTS: [B], STREAM: \"a.*\", account_token_position: 2", new() { Type = ExportType.Stream, Subject = "a.*", Accounts = ["B"], AccountTokenPosition = 2 } },
        { "service: a", new() { Type = ExportType.Service, Subject = "a", ResponseThreshold = TwoMinutes } },
        { "service: a, response_type: singleton", new() { Type = ExportType.Service, Subject = "a" } },
        { "response: Stream, service: a", new() { Type = ExportType.Service, Subject = "a", ResponseType = ServiceResponseType.Stream } },
        { "service: a, response: chunk", new() { Type = ExportType.Service, Subject = "a", ResponseType = ServiceResponseType.Chunked } },
        { "service: a, response_type: chunked", new() { Type = ExportType.Service, Subject = "a", ResponseType = ServiceResponseType.Chunked } },
        { "service: a, threshold: 5s", new() { Type = ExportType.Service, Subject = "a", ResponseThreshold = TimeSpan.FromSeconds(5) } },
        { "service: a, response_threshold: \"1m\"", new() { Type = ExportType.Service, Subject = "a", ResponseThreshold = TimeSpan.FromMinutes(1) } },
        { "service: a, response_max_time: \"0\"", new() { Type = ExportType.Service, Subject = "a" } },
        { "service: a, latency: m", new() { Type = ExportType.Service, Subject = "a", Latency = new("m") } },
        { "service: a, latency: { sampling: 5%, subject: m }", new() { Type = ExportType.Service, Subject = "a", Latency = new("m", 5) } },
        { "service: a, latency: { sampling: headers, subject: m }", new() { Type = ExportType.Service, Subject = "a", Latency = new("m", 0) } },
        { "service: a, allow_trace: true", new() { Type = ExportType.Service, Subject = "a", AllowTrace = true } },
    };

    public static TheoryData<string, ImportOptions> Imports => new()
    {
        { "stream: {account: B, subject: s}", new() { Type = ExportType.Stream, Account = "B", Subject = "s" } },
        { "prefix: p, stream: {account: B, subject: s}", new() { Type = ExportType.Stream, Account = "B", Subject = "s", Prefix = "p" } },
        { "stream: {account: B, subject: s}, to: t, allow_trace: true", new() { Type = ExportType.Stream, Account = "B", Subject = "s", To = "t", AllowTrace = true } },
        { "to: t, stream: {account: B, subject: s}, prefix: p", new() { Type = ExportType.Stream, Account = "B", Subject = "s", Prefix = "p" } },
        { "service: {account: B, subject: q}", new() { Type = ExportType.Service, Account = "B", Subject = "q" } },
        { "share: true, to: t, SERVICE: {ACCOUNT: B, SUBJECT: q}", new() { Type = ExportType.Service, Account = "B", Subject = "q", To = "t", Share = true } },
    };

    public static TheoryData<string, string, string> Refused => new()
    {
        { "exports: 1", "", "x.conf:1:16: Exports should be an array, got an integer" },
        { "exports: [x]", "", "x.conf:1:26: Export Items should be a map with type entry, got a string" },
        { "exports: [{stream: 1}]", "", "x.conf:1:27: Expected stream name to be string, got an integer" },
        { "exports: [{service: 1}]", "", "x.conf:1:27: Expected service name to be string, got an integer" },
        { "exports: [{stream: a, service: b}]", "", "x.conf:1:38: Detected service \"b\" but already saw a stream" },
        { "exports: [{service: b, stream: a}]", "", "x.conf:1:39: Detected stream \"a\" but already saw a service" },
        { "exports: [{service: a, response: x}]", "", "x.conf:1:39: Unknown response type: \"x\"" },
        { "exports: [{service: a, response: stream, response_type: chunk}]", "", "x.conf:1:57: Duplicate response type definition" },
        { "exports: [{stream: a, response: stream}]", "", "x.conf:1:38: Detected response directive on non-service" },
        { "exports: [{response: stream, stream: a}]", "", "x.conf:1:27: Detected response directive on non-service" },
        { "exports: [{stream: a, threshold: \"1s\"}]", "", "x.conf:1:38: Detected response directive on non-service" },
        { "exports: [{service: a, threshold: x}]", "", "x.conf:1:39: Expected response threshold to be a parseable time duration, got \"x\"" },
        { "exports: [{service: a, latency: 1}]", "", "x.conf:1:39: Expected latency entry to be a map/struct or string, got an integer" },
        { "exports: [{service: a, latency: {sampling: 0, subject: b}}]", "", "x.conf:1:49: bad sampling percentage, should be 1-100" },
        { "exports: [{service: a, latency: {sampling: 101%, subject: b}}]", "", "x.conf:1:49: bad sampling percentage, should be 1-100" },
        { "exports: [{service: a, latency: {sampling: \"x%\", subject: b}}]", "", "x.conf:1:49: Failed to parse latency sample: strconv.Atoi: parsing \"x\": invalid syntax" },
        { "exports: [{service: a, latency: {sampling: 50}}]", "", "x.conf:1:39: Latency subject required, but missing" },
        { "exports: [{stream: a, latency: b}]", "", "x.conf:1:38: Detected latency directive on non-service" },
        { "exports: [{stream: a, allow_trace: true}]", "", "x.conf:1:38: Detected allow_trace directive on non-service" },
        { "exports: [{stream: a, foo: 1}]", "", "x.conf:1:38: unknown field \"foo\"" },
        { "exports: [{stream: a, accounts: [B, C]}]", "", "x.conf:1:1: \"C\" account not defined for stream export" },
        { "exports: [{service: a, accounts: [C]}]", "", "x.conf:1:1: \"C\" account not defined for service export" },
        { "exports: [{stream: \"a.*\", account_token_position: 1}]", "", "x.conf:1:1: Error adding stream export \"a.*\": sublist: invalid subject" },
        { "exports: [{service: \"a.*\", account_token_position: 5}]", "", "x.conf:1:1: Error adding service export \"a.*\": sublist: invalid subject" },
        { "exports: [{service: a, latency: \"b.*\"}]", "", "x.conf:1:1: Error adding service latency sampling for \"a\" on subject \"b.*\": invalid publish subject" },
        { "exports: [{service: \"a.>\", latency: a.b}]", "", "x.conf:1:1: Error adding service latency sampling for \"a.>\" on subject \"a.b\": invalid publish subject" },
        { "exports: [{service: a, response: stream, latency: b}]", "", "x.conf:1:1: Error adding service latency sampling for \"a\" on subject \"b\": bad service response type" },
        { "imports: 1", "", "x.conf:1:16: Imports should be an array, got an integer" },
        { "imports: [x]", "", "x.conf:1:26: Import Items should be a map with type entry, got a string" },
        { "imports: [{stream: x}]", "", "x.conf:1:27: Stream entry should be an account map, got a string" },
        { "imports: [{service: x}]", "", "x.conf:1:27: Service entry should be an account map, got a string" },
        { "imports: [{stream: {account: B}}]", "", "x.conf:1:27: Expect an account name and a subject" },
        { "imports: [{service: {subject: x}}]", "", "x.conf:1:27: Expect an account name and a subject" },
        { "imports: [{stream: {account: B, subject: x, foo: 1}}]", "exports: [{stream: x}]", "x.conf:1:60: unknown field \"foo\"" },
        { "imports: [{stream: {account: B, subject: x}, foo: 1}]", "exports: [{stream: x}]", "x.conf:1:61: unknown field \"foo\"" },
        { "imports: [{stream: {account: B, subject: x}, service: {account: B, subject: x}}]", "exports: [{stream: x}]", "x.conf:1:61: Detected service but already saw a stream" },
        { "imports: [{service: {account: B, subject: x}, stream: {account: B, subject: x}}]", "exports: [{service: x}]", "x.conf:1:62: Detected stream but already saw a service" },
        { "imports: [{service: {account: B, subject: x}, allow_trace: true}]", "exports: [{service: x}]", "x.conf:1:62: Detected allow_trace directive on a non-stream" },
        { "imports: [{stream: {account: B, subject: x}, prefix: p, to: q}]", "exports: [{stream: x}]", "x.conf:1:72: Stream import can not have a 'prefix' and a 'to' property" },
        { "imports: [{stream: {account: C, subject: x}}]", "", "x.conf:1:1: \"C\" account not defined for stream import" },
        { "imports: [{service: {account: C, subject: x}}]", "", "x.conf:1:1: \"C\" account not defined for service import" },
        { "imports: [{stream: {account: B, subject: x}}]", "", "x.conf:1:1: Error adding stream import \"x\": stream import not authorized" },
        { "imports: [{service: {account: B, subject: x}}]", "exports: [{service: x, accounts: [B]}]", "x.conf:1:1: Error adding service import \"x\": service import not authorized" },
        { "imports: [{stream: {account: B, subject: \"x.>\"}}]", "exports: [{stream: \"x.*\"}]", "x.conf:1:1: Error adding stream import \"x.>\": stream import not authorized" },
        { "imports: [{stream: {account: B, subject: x}, prefix: \"p.*\"}]", "exports: [{stream: x}]", "x.conf:1:1: Error adding stream import \"x\": stream import prefix can not contain wildcard tokens" },
        { "imports: [{stream: {account: B, subject: \"x.*\"}, to: q}]", "exports: [{stream: \"x.*\"}]", "x.conf:1:1: Error adding stream import \"x.*\": failed to create mapping transform for stream import subject from \"x.*\" to \"q\": invalid mapping destination: not using all of the token wildcard(s) in q" },
        { "imports: [{service: {account: B, subject: \"x.*\"}, to: \"q.$2\"}]", "exports: [{service: \"x.*\"}]", "x.conf:1:1: Error adding service import \"x.*\": failed to create mapping transform for service import subject from \"q.$2\" to \"x.*\": invalid mapping destination: wildcard index out of range in $2: [2]" },
        { "imports: [{stream: {account: B, subject: \"x.*\"}, to: \"q.{{partition(3,1)}}\"}]", "exports: [{stream: \"x.*\"}]", "x.conf:1:1: Error adding stream import \"x.*\": failed to create mapping transform for stream import subject from \"x.*\" to \"q.{{partition(3,1)}}\": invalid mapping destination: the only mapping function allowed for import transforms is {{Wildcard()}} in {{partition(3,1)}}" },
        { "imports: [{service: {account: B, subject: x}, to: \"q..r\"}]", "exports: [{service: x}]", "x.conf:1:1: Error adding service import \"x\": sublist: invalid subject" },
        { "imports: [{service: {account: B, subject: x}, to: z}, {service: {account: B, subject: y}, to: z}]", "exports: [{service: x}, {service: y}]", "x.conf:1:70: Duplicate service import subject \"z\", previously used in import for account \"B\", subject \"x\"" },
        { "imports: [{stream: {account: B, subject: x}}, {stream: {account: B, subject: x}, prefix: p}]", "exports: [{stream: x}]", "x.conf:1:1: Error adding stream import \"x\": stream import already exists" },
        { "exports: [{service: x}], imports: [{service: {account: B, subject: x}}]", "exports: [{service: x}], imports: [{service: {account: A, subject: x}}]", "x.conf:1:1: Error adding service import \"x\": import forms a cycle" },
    };

    [Theory]
    [MemberData(nameof(Exports))]
    public void Export_is_read(string text, ExportOptions expected)
        => Assert.Equal([expected], Read($"accounts {{ A {{ exports: [{{ {text} }}] }}, B {{ }} }}").Accounts[0].Exports);

    [Theory]
    [MemberData(nameof(Imports))]
    public void Import_is_read(string text, ImportOptions expected)
        => Assert.Equal([expected], Read($"accounts {{ A {{ imports: [{{ {text} }}] }}, B {{ exports: [{{stream: s}}, {{service: q}}] }} }}").Accounts[0].Imports);

    [Theory]
    [MemberData(nameof(Refused))]
    public void Mistake_is_told_with_its_place(string a, string b, string expected)
        => Assert.Equal(expected, Assert.Throws<BrokerException>(() => Read($"accounts {{ A {{ {a} }}, B {{ {b} }} }}")).Message);

    [Fact]
    public void Measurements_need_a_system_account()
    {
        var refusal = Assert.Throws<BrokerException>(() => Read("accounts { A { exports: [{service: a, latency: b}] } }\nno_system_account: true"));

        Assert.Equal("x.conf:1:1: Error adding service latency sampling for \"a\": system account not setup", refusal.Message);
    }

    [Fact]
    public void Item_that_says_nothing_of_what_it_is_about_is_left_out()
    {
        var options = Read("accounts { A { exports: [{accounts: [B]}], imports: [{prefix: x}] }, B { } }");

        Assert.Equal((0, 0), (options.Accounts[0].Exports.Count, options.Accounts[0].Imports.Count));
    }

    private static BrokerOptions Read(string text)
    {
        var options = new BrokerOptions();
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = text } });
        return options;
    }
}
