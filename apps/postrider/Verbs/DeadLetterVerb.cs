using System.CommandLine;
using Postrider.Client;
using Postrider.Transport.Nats;
using Postrider.Transports;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider deadletter</c>: the dead letters of Postrider's stream listeners.</summary>
internal static class DeadLetterVerb
{
    private const int PageSize = 100;

    internal static Command Create() => new("deadletter", "Show dead letters, redeliver them or remove them.") { List(), Show(), Redrive(), Purge() };

    private static Argument<string> Subject() => SubjectArgument.DeadLetters("The subject of the dead letters: DeadLetter of a binding");

    private static Option<DeadLetterReason?> Reason() => new Option<DeadLetterReason?>("--reason") { Description = "Only those dead-lettered for this reason" }.OneOf();

    private static Option<string?> Origin() => new("--origin") { Description = "Only those that arrived at this subject" };

    private static IDeadLetters Open(Call call, Argument<string> subject)
        => new NatsStreamTransport(call.Client, streams: call.Options).OpenDeadLetters(call.Get(subject));

    // Reports all errors as one type of exception.
    private static async Task GuardAsync(Func<Task> run)
    {
        try
        {
            await run();
        }
        catch (PostriderException error)
        {
            throw new NatsClientException(NatsErrorCode.NotFound, error.Message, error);
        }
    }

    private static Command List()
    {
        var (subject, reason, origin) = (Subject(), Reason(), Origin());
        var after = new Option<string?>("--after") { Description = "Only those after this id: the last one of the previous page" };
        var max = new Option<int?>("--max") { Description = $"The largest number ({PageSize})" }.AtLeast(1);
        return JetStreamVerb.Create("ls", """
            List dead letters, the oldest first.
              postrider deadletter ls orders.dead
              postrider deadletter ls orders.dead --reason Exhausted --after 1200 --json
            """, RunAsync, subject, reason, origin, after, max);

        Task RunAsync(Call call, CancellationToken ct) => GuardAsync(async () =>
        {
            var table = DeadLetterText.Table();
            await call.WriteAllAsync(
                Open(call, subject).ListAsync(new() { Reason = call.Get(reason), Origin = call.Get(origin), After = call.Get(after), Max = call.Get(max) ?? PageSize }, ct),
                DeadLetterText.Json,
                table,
                DeadLetterText.AddTo);
            if (table.IsEmpty && !call.Json) await Console.Error.WriteLineAsync($"No dead letters at {call.Get(subject)}.");
        });
    }

    private static Command Show()
    {
        var (subject, id) = (Subject(), new Argument<string>("id") { Description = "The id that the list shows" });
        var raw = new Option<bool>("--raw") { Description = "Print only the body" };
        return JetStreamVerb.Create("show", """
            Show a dead letter with its headers and its body.
              postrider deadletter show orders.dead 1204
            """, RunAsync, subject, id, raw);

        Task RunAsync(Call call, CancellationToken ct) => GuardAsync(async () =>
        {
            await foreach (var letter in Open(call, subject).ListAsync(new() { Id = call.Get(id) }, ct))
            {
                if (!call.Get(raw))
                {
                    await call.WriteAsync(DeadLetterText.Json(letter), DeadLetterText.Readable(letter));
                    return;
                }

                await using var output = StandardOutput.Open();
                await output.WriteAsync(letter.Body, ct);
                return;
            }

            throw NotFound(call.Get(id), call.Get(subject));
        });
    }

    private static Command Redrive()
    {
        var (subject, chosen) = (Subject(), new Chosen());
        var pace = JetStreamVerb.Pause("--pace", "The pause between two messages");
        return chosen.Require(JetStreamVerb.Create("redrive", """
            Send dead letters back to their original subjects, as first attempts. Every consumer of such a subject gets them.
              postrider deadletter redrive orders.dead --id 1204
              postrider deadletter redrive orders.dead --reason Exhausted --pace 100ms
            """, RunAsync, [subject, .. chosen.Symbols, pace]));

        Task RunAsync(Call call, CancellationToken ct) => GuardAsync(async () =>
        {
            var count = await Open(call, subject).RedriveAsync(chosen.Query(call) with { Pace = call.Get(pace) ?? TimeSpan.Zero }, ct);
            chosen.CheckFound(call, call.Get(subject), count);
            await call.WriteAsync($$"""{"redriven":{{count}}}""", $"Sent back {Quantity.Of(count, "message")}");
        });
    }

    private static Command Purge()
    {
        var (subject, chosen) = (Subject(), new Chosen());
        return chosen.Require(JetStreamVerb.CreateConfirmed("purge", """
            Remove dead letters permanently.
              postrider deadletter purge orders.dead --reason Expired
            """, call => $"remove dead letters of {call.Get(subject)}", RunAsync, [subject, .. chosen.Symbols]));

        Task RunAsync(Call call, CancellationToken ct) => GuardAsync(async () =>
        {
            var count = await Open(call, subject).PurgeAsync(chosen.Query(call), ct);
            chosen.CheckFound(call, call.Get(subject), count);
            await call.WriteAsync($$"""{"purged":{{count}}}""", $"Removed {Quantity.Of(count, "message")}");
        });
    }

    private static NatsClientException NotFound(string id, string subject) => new(NatsErrorCode.NotFound, $"There is no dead letter '{id}' at {subject}.");

    /// <summary>Which dead letters a verb changes; all only on request.</summary>
    private sealed class Chosen
    {
        private readonly Option<string?> _id = new("--id") { Description = "Only the one with this id" };
        private readonly Option<DeadLetterReason?> _reason = Reason();
        private readonly Option<string?> _origin = Origin();
        private readonly Option<bool> _all = new("--all") { Description = "All of them" };

        internal Symbol[] Symbols => [_id, _reason, _origin, _all];

        internal DeadLetterQuery Query(Call call) => new() { Id = call.Get(_id), Reason = call.Get(_reason), Origin = call.Get(_origin) };

        /// <summary>Fails a verb that was to change one dead letter and found none.</summary>
        /// <exception cref="NatsClientException">There is no dead letter with the id.</exception>
        internal void CheckFound(Call call, string subject, long count)
        {
            if (count == 0 && call.Get(_id) is { } id) throw NotFound(id, subject);
        }

        internal Command Require(Command verb)
        {
            verb.Validators.Add(result =>
            {
                if (!Array.Exists<Option>([_id, _reason, _origin, _all], option => JetStreamVerb.IsGiven(result, option)))
                    result.AddError("Select the dead letters: use --id, --reason, --origin or --all.");
            });
            return verb;
        }
    }
}
