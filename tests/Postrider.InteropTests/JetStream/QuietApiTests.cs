using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>Requests to the API that are no operation: both servers leave them without an answer, as theirs are all its subjects.</summary>
public sealed class QuietApiTests
{
    private const string Script = """
        A> CONNECT {"verbose":false,"headers":true,"no_responders":true}
        A> SUB inbox.* 1
        A> PUB $JS.API.NOTHING inbox.1 0
        A>
        A> PUB $JS.API.STREAM.NOTHING.S inbox.2 0
        A>
        A> PUB $JS.API.STREAM.INFO inbox.3 0
        A>
        A> PUB $JS.API.CONSUMER.NOTHING.S.C inbox.4 0
        A>
        A> PUB $JS.API.META.LEADER.STEPDOWN inbox.5 0
        A>
        A> PUB $JS.API.DIRECT.GET.S inbox.6 0
        A>
        A> PUB $JS.API.CONSUMER.MSG.NEXT.S.C inbox.7 0
        A>
        A< HMSG inbox.6 1 52 52
        A< NATS/1.0 503
        A< Nats-Subject: $JS.API.DIRECT.GET.S
        A<
        A<
        A< HMSG inbox.7 1 61 61
        A< NATS/1.0 503
        A< Nats-Subject: $JS.API.CONSUMER.MSG.NEXT.S.C
        A<
        A<
        """;

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Only_pulls_and_direct_gets_hear_that_nobody_listens(ServerKind kind)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        try
        {
            await using var server = await ServerProcess.StartAsync(kind, "-js", "-sd", folder.FullName);

            var received = await Conversation.HoldAsync(server.Port, Script);

            Assert.Equal(Conversation.Expected(Script), received);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
