using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

/// <summary>Mistakes with RabbitMQ, each with the message that ends the start.</summary>
public sealed class RabbitMqStartTests(RabbitMqServer server)
{
    private const string Path = "Postrider:RabbitMq";
    private const string Work = "Postrider.TransportTests.AbilityWork";

    private static readonly JsonSerializerProvider s_json = new(AbilityJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string> Names => [.. All(1, 2).Select(static mistake => mistake.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Start_ends_with_the_key_and_what_would_be_right(string name)
    {
        var mistake = All(server.Port, FreePort.Find()).Single(mistake => mistake.Name == name);

        var lines = await mistake.StartAsync(Ct);

        Assert.Equal(mistake.Lines, lines);
    }

    [Fact]
    public async Task Queue_that_exists_with_other_arguments_ends_the_start()
    {
        var queue = TransportHarness.NewName();
        await using var transport = new RabbitMqTransport(new RabbitMqOptions { Server = new Uri($"amqp://guest:guest@127.0.0.1:{server.Port}/") });
        await transport.ApplyAsync(new RabbitMqBinding(queue), Ct);

        var lines = await Row("another kind of queue", $"Server=amqp://guest:guest@127.0.0.1:{server.Port}/", bind: new RabbitMqBinding(queue) { QueueType = RabbitMqQueueType.Classic }).StartAsync(Ct);

        Assert.Equal(
            $"The binding of '{queue}' does not match the objects on the server: PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue '{queue}' in vhost '/': received 'classic' but current is 'quorum'. Change the binding, or delete the queue or exchange while it is empty; nothing was changed.",
            Assert.Single(lines));
    }

    private static IEnumerable<StartMistake> All(int port, int closed)
    {
        var here = $"Server=amqp://guest:guest@127.0.0.1:{port}/";
        yield return Row("an address where nothing listens", $"Server=amqp://guest:guest@127.0.0.1:{closed}/", $"RabbitMQ at 127.0.0.1:{closed}/ cannot be reached: Connection refused. Check Server in {Path}, and that the server runs.");
        yield return Row("a wrong password", $"Server=amqp://guest:guessed@127.0.0.1:{port}/", $"RabbitMQ at 127.0.0.1:{port}/ rejects the connection: ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile. Check user, password and virtual host of Server in {Path}.");
        yield return Row("an unknown virtual host", $"Server=amqp://guest:guest@127.0.0.1:{port}/shop", $"RabbitMQ at 127.0.0.1:{port}/shop rejects the connection: NOT_ALLOWED - vhost shop not found. Check user, password and virtual host of Server in {Path}.");
        yield return Row("an unknown key", "Servr=amqp://localhost/", $"{Path}:Servr is not a known key. Did you mean 'Server'?");
        yield return Row("an unknown profile", "Troughput:MaxUnconfirmed=1", $"{Path}:Troughput is not a known key. Did you mean 'Throughput'?");
        yield return Row("an unknown key of a profile", "Retry:MaxPaus=1s", $"{Path}:Retry:MaxPaus is not a known key. Did you mean 'MaxPause'?");
        yield return Row("a value for a profile", "Poison=none", $"{Path}:Poison is 'none'; it must have keys of its own.");
        yield return Row("a wrong number and a wrong duration", "Throughput:PrefetchFactor=0;Retry:MaxPause=5", $"{Path}:Throughput:PrefetchFactor is '0'; it must be a whole number from 1 to 2147483647.", $"{Path}:Retry:MaxPause is '5'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30.");
        yield return Row("a wrong size", "Poison:MaxBodyBytes=lots", $"{Path}:Poison:MaxBodyBytes is 'lots'; it must be a size such as 65536, 64KB or 16MB, at most 2147483647 bytes.");
        yield return Row("an address of another kind", "Server=http://user:secret@localhost", $"{Path}:Server must be an address such as amqp://user:password@localhost:5672/vhost.");
        yield return Row("an address without a server", "Server=amqp:///shop", $"{Path}:Server must be an address such as amqp://user:password@localhost:5672/vhost.");
        yield return Row("an empty address", "Server=", $"{Path}:Server is empty; it must be an address such as amqp://user:password@localhost:5672/vhost. Remove the key for the server on this machine.");
        yield return Row("a profile out of range", "Throughput:MaxUnconfirmed=70000", "RabbitMqOptions.Throughput.MaxUnconfirmed is 70000 and must be from 1 to 65535.");
        yield return Row("a binding without a queue that keeps", here, new TransportBinding("work"), "'work' is bound without a queue that keeps its messages, which transport 'rabbitmq' requires: use a RabbitMqBinding.");
        yield return Row("a queue that nobody declares", here, new RabbitMqBinding("not.declared") { DeclaresTopology = false }, "There is no queue 'not.declared', and the binding of 'not.declared' does not declare it (DeclaresTopology is false). Declare the queue, or set DeclaresTopology to true.");
        yield return Row("a group", here, new RabbitMqBinding("work") { Group = "workers" }, $"{Work} is bound to 'work' on transport 'rabbitmq' with Group 'workers', which the transport does not support: remove Group from the binding. docs/guide/transports-seam.md lists what each transport can do.");
        yield return new("a route to a transport that is not there", builder => Host(builder, options => options.Route<AbilityWork, Unit>("rabit", s_json, "work")), StartMistake.KeysOf(Path, here), $"{Work} is routed over the transport 'rabit', which was not added. Added: rabbit. Did you mean 'rabbit'? Otherwise call AddPostriderTransport(\"rabit\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"rabit\", …) or AddRabbitMqTransport(\"rabit\", …); for an outbox, AddTransport(\"rabit\", over: …).");
        yield return new("a question", builder => Host(builder, options => options.Route<AbilityQuestion, string>("rabbit", s_json, "questions")), StartMistake.KeysOf(Path, here), "Postrider.TransportTests.AbilityQuestion is routed to 'questions' over transport 'rabbitmq', which does not support requests, but its sender waits for System.String: make it a command without a response, or route it over a transport with Requests. docs/guide/transports-seam.md lists what each transport can do.");
        yield return new(
            "a transport twice",
            builder =>
            {
                Host(builder, static _ => { });
                builder.Services.AddRabbitMqTransport("rabbit", s_json);
            },
            [],
            "The transport 'rabbit' was already added. Keep the builder that AddPostriderTransport returned to add bindings, or choose another name.");
    }

    private static StartMistake Row(string name, string keys, params string[] lines) => Row(name, keys, new RabbitMqBinding("work"), lines);

    private static StartMistake Row(string name, string keys, TransportBinding bind, params string[] lines)
        => new(name, builder => Host(builder, static _ => { }).Command<AbilityWork>(bind), StartMistake.KeysOf(Path, keys), lines);

    private static TransportBuilder Host(HostApplicationBuilder builder, Action<DispatchOptions> options)
    {
        builder.Services.AddPostrider(options);
        return builder.Services.AddRabbitMqTransport("rabbit", s_json, builder.Configuration.GetSection(Path));
    }
}
