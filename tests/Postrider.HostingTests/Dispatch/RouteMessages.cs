using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

public sealed partial record CountTo(int Last, string How = "") : IStreamRequest<Number>;

public sealed record Number(int Value);

[RouteTo("work", "work.pack")]
public sealed partial record PackParcel(string Id, string Shelf) : ICommand, IKeyed
{
    [JsonIgnore] public string Key => Shelf;
}

public sealed partial record Remind(string Text) : ICommand;

public sealed partial record ParcelPacked(string Id) : INotification;

/// <summary>A command whose handler is nowhere.</summary>
public sealed partial record Orphan(string Id) : ICommand;

/// <summary>A notification that nothing hears.</summary>
public sealed partial record Rumour(string Text) : INotification;

[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(CountTo))]
[JsonSerializable(typeof(Number))]
[JsonSerializable(typeof(PackParcel))]
[JsonSerializable(typeof(Remind))]
[JsonSerializable(typeof(ParcelPacked))]
[JsonSerializable(typeof(Orphan))]
[JsonSerializable(typeof(Rumour))]
internal sealed partial class RoutesJson : JsonSerializerContext;

/// <summary>What the handlers of these tests saw and did.</summary>
internal sealed class RouteLog
{
    private readonly Lock _gate = new(); // guards _batches and _reminders
    private readonly List<string[]> _batches = [];
    private readonly List<(string Text, string Correlation, string? Cause)> _reminders = [];

    public int Started;

    public int Ended;

    public int Produced;

    public int Running;

    public int MaxRunning;

    /// <summary>Handling of a batch waits for it; null to not wait.</summary>
    public TaskCompletionSource? Gate { get; set; }

    public IReadOnlyList<string[]> Batches
    {
        get
        {
            lock (_gate)
                return [.. _batches];
        }
    }

    public IReadOnlyList<(string Text, string Correlation, string? Cause)> Reminders
    {
        get
        {
            lock (_gate)
                return [.. _reminders];
        }
    }

    public void Add(string[] batch)
    {
        lock (_gate)
            _batches.Add(batch);
    }

    public void Add(Remind reminder, MessageContext context)
    {
        lock (_gate)
            _reminders.Add((reminder.Text, context.CorrelationId, context.CausationId));
    }
}

/// <summary>Lives as long as a scope, and shows when it ends.</summary>
internal sealed class StreamScope(RouteLog log) : IDisposable
{
    public bool IsDisposed { get; private set; }

    public void Dispose()
    {
        IsDisposed = true;
        Interlocked.Increment(ref log.Ended);
    }
}

internal sealed class CountHandler(RouteLog log, StreamScope scope) : IStreamRequestHandler<CountTo, Number>
{
    public async IAsyncEnumerable<Number> Handle(CountTo request, [EnumeratorCancellation] CancellationToken ct)
    {
        Interlocked.Increment(ref log.Started);
        if (request.How == "refuse")
            throw new PostriderException(PostriderError.Refused, "Nothing is counted today.");
        for (var i = 1; i <= request.Last; i++)
        {
            if (request.How == "break" && i == request.Last)
                throw new InvalidOperationException("secret");
            if (request.How == "slow")
                await Task.Yield();
            ct.ThrowIfCancellationRequested();
            ObjectDisposedException.ThrowIf(scope.IsDisposed, scope);
            Interlocked.Increment(ref log.Produced);
            yield return new Number(i);
        }

        if (request.How == "wait")
            await Task.Delay(Timeout.Infinite, ct);
    }
}

/// <summary>Packs what is not broken.</summary>
internal sealed class PackHandler(RouteLog log, StreamScope scope) : ICommandHandler<MessageBatch<PackParcel>>
{
    public async ValueTask Handle(MessageBatch<PackParcel> command, CancellationToken ct)
    {
        var running = Interlocked.Increment(ref log.Running);
        log.MaxRunning = Math.Max(log.MaxRunning, running);
        ObjectDisposedException.ThrowIf(scope.IsDisposed, scope);
        if (log.Gate is { } gate)
            await gate.Task;
        Interlocked.Decrement(ref log.Running);
        log.Add([.. command.Select(static parcel => parcel.Id)]);
        for (var i = 0; i < command.Count; i++)
        {
            if (command[i].Id.StartsWith("broken", StringComparison.Ordinal))
                command.Fail(i, new PostriderException(PostriderError.Refused, $"{command[i].Id} is broken."));
        }

        if (command.Any(static parcel => parcel.Id == "explosive"))
            throw new InvalidOperationException("The shelf is on fire.");
    }
}

internal static class RemindHandlers
{
    [Handler]
    public static void On(Remind command, RouteLog log, MessageContext context) => log.Add(command, context);

    [Handler]
    public static ValueTask On(ParcelPacked notification, MessageContext context, CancellationToken ct)
        => context.Follow().SendAsync(new Remind($"Send {notification.Id}"), TimeSpan.FromMinutes(5), ct);
}

/// <summary>Stands around the handling of all that arrives, and remembers the types.</summary>
internal sealed class SeenMessages : IReceiveMiddleware
{
    public List<(Type Type, bool HasEnded)> Seen { get; } = [];

    public async ValueTask HandleAsync(ReceivedMessage message, ReceiveNext next, CancellationToken ct)
    {
        lock (Seen)
            Seen.Add((message.MessageType, false));
        await next(ct);
        lock (Seen)
            Seen.Add((message.MessageType, true));
    }
}
