using System.Text.Json.Serialization;
using Postrider.Middleware;
using Postrider.Resilience;

[assembly: Postrider.UseMiddleware(typeof(ValidationMiddleware<,>))]

namespace Postrider.HostingTests.Dispatch;

public sealed record PlaceOrder(string Item, int Quantity) : ICommand<Receipt>;

public sealed record Receipt(string Number, string PlacedBy);

public sealed record FindOrder(int Number) : IQuery<Receipt?>;

public sealed record Archive(int Year) : ICommand;

public sealed record Measured : ICommand
{
    public Measured(int length) => Length = length < 0 ? throw new ArgumentOutOfRangeException(nameof(length), "Must not be negative.") : length;

    public int Length { get; }
}

public sealed record OrderPlaced(string Item) : INotification;

public sealed record Unlisted(string Item) : INotification;

public sealed record OrderLost(string Item) : INotification;

[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(PlaceOrder))]
[JsonSerializable(typeof(Receipt))]
[JsonSerializable(typeof(Archive))]
[JsonSerializable(typeof(Measured))]
[JsonSerializable(typeof(OrderPlaced))]
[JsonSerializable(typeof(OrderLost))]
internal sealed partial class OrdersJson : JsonSerializerContext;

internal sealed class OrderNotes
{
    private readonly Lock _gate = new(); // guards _all
    private readonly List<(string Item, string CorrelationId, string? CausationId)> _all = [];

    public IReadOnlyList<(string Item, string CorrelationId, string? CausationId)> All
    {
        get
        {
            lock (_gate)
                return [.. _all];
        }
    }

    public void Add(string item, MessageContext context)
    {
        lock (_gate)
            _all.Add((item, context.CorrelationId, context.CausationId));
    }
}

internal sealed class OrderHandlers(OrderNotes notes)
{
    [Handler]
    public async ValueTask<Receipt> Place(PlaceOrder command, MessageContext context, CancellationToken ct)
    {
        switch (command.Item)
        {
            case "forbidden":
                throw new PostriderException(PostriderError.Refused, "Only managers order this.");
            case "busy":
                throw new CircuitBreakerOpenException();
            case "unreachable":
                throw new PostriderException(PostriderError.Unavailable, "The client is not connected.");
            case "full":
                throw new PostriderException(PostriderError.QueueFull, "full");
            case "slow":
                throw new TimeoutException("The warehouse at 10.0.0.7 took too long.");
            case "broken":
                throw new InvalidOperationException("Server=10.0.0.7;Password=secret");
        }

        await context.Follow().PublishAsync(new OrderPlaced(command.Item), ct);
        return new Receipt($"{command.Item}-{command.Quantity}", context.User?.Identity?.Name ?? "nobody");
    }

    [Handler]
    public static ValueTask<Receipt?> Find(FindOrder query, CancellationToken ct) => new(query.Number == 1 ? new Receipt("1", "anna") : null);

    [Handler]
    public static ValueTask Move(Archive command, CancellationToken ct) => default;

    [Handler]
    public static ValueTask Measure(Measured command, CancellationToken ct) => default;

    [Handler]
    public ValueTask Note(OrderPlaced notification, MessageContext context, CancellationToken ct)
    {
        notes.Add(notification.Item, context);
        return default;
    }
}

internal sealed class PlaceOrderValidator : IValidator<PlaceOrder>
{
    public IEnumerable<ValidationError> Validate(PlaceOrder message)
    {
        if (message.Quantity < 1)
            yield return new ValidationError("quantity", "Must be at least 1.");
    }
}
