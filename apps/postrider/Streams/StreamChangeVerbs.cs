using System.CommandLine;
using Postrider.Client.JetStream;
using Postrider.CommandLine.Contexts;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Streams;

/// <summary>The rarer verbs of <c>postrider stream</c> that change one: <c>copy</c>, <c>seal</c> and <c>rmm</c>.</summary>
internal static class StreamChangeVerbs
{
    internal static IEnumerable<Command> Create() => [Copy(), Seal(), RemoveMessage()];

    private static Argument<string> Name() => new("stream") { Description = "The stream" };

    private static Command Copy()
    {
        var (name, target, flags) = (Name(), new Argument<string>("target") { Description = "The new stream's name" }, new StreamFlags());
        return JetStreamVerb.Create("copy", """
            Create a stream with the settings of another, without its messages. Give it different subjects.
              postrider stream copy ORDERS ARCHIVE --subjects 'archive.>'
            """, RunAsync, [name, target, .. flags.All]);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            if (call.Get(target) == call.Get(name)) throw new ContextException($"A stream cannot be copied onto itself: give the copy of '{call.Get(name)}' another name.");
            var source = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            var config = await flags.ApplyAsync(source.Info.Config with { Name = call.Get(target) }, call, ct);
            var created = (await call.Streams.CreateStreamAsync(config with { Name = call.Get(target) }, ct)).Info;
            await call.WriteAsync(ApiText.Write(created), StreamText.Readable(created));
        }
    }

    private static Command Seal()
    {
        var name = Name();
        return JetStreamVerb.CreateConfirmed("seal", """
            Forbid all changes to a stream and its messages, permanently.
              postrider stream seal ORDERS_2025
            """, call => $"seal stream {call.Get(name)} permanently", RunAsync, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var stream = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            await stream.UpdateAsync(stream.Info.Config with { Sealed = true }, ct);
            await call.WriteAsync(JsonText.Object(("sealed", stream.Name)), $"Sealed {stream.Name}");
        }
    }

    private static Command RemoveMessage()
    {
        var name = Name();
        var sequence = new Argument<ulong>("seq") { Description = "The message's sequence" }.AtLeast(1);
        var keep = new Option<bool>("--no-erase") { Description = "Do not overwrite the bytes on disk" };
        return JetStreamVerb.CreateConfirmed("rmm", """
            Delete one message and overwrite its bytes.
              postrider stream rmm ORDERS 42
            """, call => $"delete message {call.Get(sequence)} of stream {call.Get(name)}", RunAsync, name, sequence, keep);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var stream = await call.Streams.GetStreamAsync(call.Get(name), ct: ct);
            await stream.DeleteMessageAsync(call.Get(sequence), erase: !call.Get(keep), ct);
            await call.WriteAsync(JsonText.Object(("deleted", call.Get(sequence))), $"Deleted message {call.Get(sequence)} of {stream.Name}");
        }
    }
}
