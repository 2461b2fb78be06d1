using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transport.Kafka;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Kafka;

/// <summary>Mistakes with Kafka, each with the message that ends the start.</summary>
public sealed class KafkaStartTests
{
    private const string Path = "Postrider:Kafka";
    private const string Work = "Postrider.TransportTests.AbilityWork";
    private const string Quick = ";Observability:ProbeTimeout=2s";

    private static readonly JsonSerializerProvider s_json = new(AbilityJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string> Names => [.. All("s", 1).Select(static mistake => mistake.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Start_ends_with_the_key_and_what_would_be_right(string name)
    {
        using var cluster = new MockCluster();
        cluster.CreateTopic("work");
        var mistake = All(cluster.Servers, FreePort.Find()).Single(mistake => mistake.Name == name);

        var lines = await mistake.StartAsync(Ct);

        Assert.Equal(mistake.Lines, lines);
    }

    [Fact]
    public async Task Account_that_the_servers_reject_ends_the_start_without_its_password()
    {
        using var certificates = new TestCertificates();
        await using var listener = new SaslListener(certificates.Server);

        var lines = await Row(
            "a wrong password",
            $"Servers=127.0.0.1:{listener.Port};Security:Tls=true;Security:CaFile={certificates.CaFile};Security:User=orders;Security:Password=guessed{Quick}").StartAsync(Ct);

        var line = Assert.Single(lines);
        Assert.StartsWith($"Kafka at 127.0.0.1:{listener.Port} rejects the account or the connection is not trusted (", line, StringComparison.Ordinal);
        Assert.Contains($"Check Security in {Path} (", line, StringComparison.Ordinal);
        Assert.EndsWith("and the permissions of the account.", line, StringComparison.Ordinal);
        Assert.DoesNotContain("guessed", line, StringComparison.Ordinal);
    }

    private static IEnumerable<StartMistake> All(string servers, int closed)
    {
        var here = $"Servers={servers}{Quick}";
        yield return Row("an address where nothing listens", $"Servers=127.0.0.1:{closed};Observability:ProbeTimeout=500ms", $"Kafka at 127.0.0.1:{closed} did not answer within 00:00:00.5000000: Local: Broker transport failure. Check Servers in {Path}, and that the servers run.");
        yield return Row("an unknown key", "Server=localhost:9092", $"{Path}:Server is not a known key. Did you mean 'Servers'?");
        yield return Row("an unknown profile", "Troughput:Linger=1ms", $"{Path}:Troughput is not a known key. Did you mean 'Throughput'?");
        yield return Row("an unknown key of a profile", "Retry:SendTimeot=1s", $"{Path}:Retry:SendTimeot is not a known key. Did you mean 'SendTimeout'?");
        yield return Row("a value for a profile", "Security=none", $"{Path}:Security is 'none'; it must have keys of its own.");
        yield return Row("a wrong choice and a wrong duration", "Throughput:Compression=Brotli;Retry:SendTimeout=5", $"{Path}:Throughput:Compression is 'Brotli'; it must be None or Gzip or Snappy or Lz4 or Zstd.", $"{Path}:Retry:SendTimeout is '5'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30.");
        yield return Row("an address without a port", "Servers=localhost", "KafkaOptions.Servers is 'localhost' and must be host:port, separated by commas.");
        yield return Row("a user without a password", "Security:User=orders", "KafkaOptions.Security.User is 'orders' and there is no Security.Password: set it, or remove the user.");
        yield return Row("options that contradict each other", "Throughput:Acks=Leader", "KafkaOptions.Throughput.Idempotence needs Throughput.Acks All, and it is Leader: set Idempotence to false, or Acks to All.");
        yield return Row("a binding without a group", here, new KafkaBinding("work"), "The binding of 'work' is not valid: it has no Group; set Group to the name that the processes which share its messages have in common.");
        yield return Row("a binding that does not commit", here, new TransportBinding("work") { Group = "g" }, "'work' is bound without a group that commits finished messages, which transport 'kafka' requires: use a KafkaBinding.");
        yield return Row("more partitions than the topic has", here, new KafkaBinding("work") { Group = "g", Partitions = 4 }, "The binding of 'work' does not match topic 'work': it has 1 partition and the binding asks for 4. Change the binding, or add partitions, which moves keys to others; nothing was changed.");
        yield return Row("dead letters at the source", here, new KafkaBinding("work") { Group = "g", DeadLetter = "work" }, "The binding of 'work' is not valid: DeadLetter 'work' is the source of the binding itself.");
        yield return new("a route to a transport that is not there", builder => Host(builder, options => options.Route<AbilityWork, Unit>("kafak", s_json, "work")), StartMistake.KeysOf(Path, here), $"{Work} is routed over the transport 'kafak', which was not added. Added: kafka. Did you mean 'kafka'? Otherwise call AddPostriderTransport(\"kafak\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"kafak\", …) or AddRabbitMqTransport(\"kafak\", …); for an outbox, AddTransport(\"kafak\", over: …).");
        yield return new("a question", builder => Host(builder, options => options.Route<AbilityQuestion, string>("kafka", s_json, "questions")), StartMistake.KeysOf(Path, here), "Postrider.TransportTests.AbilityQuestion is routed to 'questions' over transport 'kafka', which does not support requests, but its sender waits for System.String: make it a command without a response, or route it over a transport with Requests. docs/guide/transports-seam.md lists what each transport can do.");
    }

    private static StartMistake Row(string name, string keys, params string[] lines) => Row(name, keys, new KafkaBinding("work") { Group = "g" }, lines);

    private static StartMistake Row(string name, string keys, TransportBinding bind, params string[] lines)
        => new(name, builder => Host(builder, static _ => { }).Command<AbilityWork>(bind), StartMistake.KeysOf(Path, keys), lines);

    private static TransportBuilder Host(HostApplicationBuilder builder, Action<DispatchOptions> options)
    {
        builder.Services.AddPostrider(options);
        return builder.Services.AddKafkaTransport("kafka", s_json, builder.Configuration.GetSection(Path));
    }
}
