using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using Postrider.MessagePack;
using Postrider.Sagas;

namespace Postrider.HostingTests.Sagas;

public sealed partial record CheckOut([property: SagaId] string Order, decimal Amount) : ICommand;

public sealed partial record PaymentArrived([property: SagaId] string Order, decimal Amount) : INotification;

public sealed partial record AddressChanged(Customer Customer, string City) : ICommand;

public sealed record Customer(int Number);

public sealed partial record Withdraw(string Key) : ICommand, IKeyed;

public sealed partial record Remind([property: SagaId] string Order) : ICommand;

public sealed partial record GiveUp([property: SagaId] string Order) : ICommand;

public sealed partial record AskForPayment(string Order, decimal Amount) : ICommand;

public sealed partial record OrderPaid(string Order) : INotification;

/// <summary>What the sagas of the tests do beside their state.</summary>
public sealed class SagaLog
{
    public ConcurrentQueue<string> Lines { get; } = new();

    public Action<string>? OnLine { get; set; }

    public void Add(string line)
    {
        Lines.Enqueue(line);
        OnLine?.Invoke(line);
    }
}

[Saga]
[MessagePackObject(keyAsPropertyName: true)]
public sealed class OrderSaga
{
    public decimal Due { get; set; }

    public decimal Paid { get; set; }

    public string? City { get; set; }

    public int Reminders { get; set; }

    [StartsSaga]
    public void On(CheckOut message, SagaContext saga, SagaLog log)
    {
        log.Add($"check out {saga.Id} {saga.Version} {saga.IsNew}");
        Due += message.Amount;
        saga.Send(new AskForPayment(saga.Id, Due));
        saga.SetTimeout(new Remind(saga.Id), TimeSpan.FromHours(1));
        saga.SetTimeout(new GiveUp(saga.Id), TimeSpan.FromDays(3));
    }

    [Handler]
    public async Task On(PaymentArrived message, SagaContext saga, SagaLog log, CancellationToken ct)
    {
        await Task.Yield();
        ct.ThrowIfCancellationRequested();
        log.Add($"paid {message.Amount}");
        Paid += message.Amount;
        if (Paid < Due)
            return;
        saga.Send(new OrderPaid(saga.Id));
        saga.Complete();
    }

    [Handler]
    [CorrelateBy("Customer.Number")]
    public ValueTask On(AddressChanged message)
    {
        City = message.City;
        return default;
    }

    [Handler]
    public void On(Withdraw message, SagaContext saga)
    {
        saga.CancelTimeout<Remind>();
        Due = 0;
    }

    [SagaTimeout]
    public void On(Remind message, SagaContext saga, SagaLog log)
    {
        log.Add("remind");
        Reminders++;
        saga.SetTimeout(message, TimeSpan.FromHours(1));
    }

    [SagaTimeout]
    public void On(GiveUp message, SagaContext saga, SagaLog log)
    {
        log.Add("give up");
        saga.Complete();
    }
}

[JsonSerializable(typeof(OrderSaga))]
[JsonSerializable(typeof(CheckOut))]
[JsonSerializable(typeof(PaymentArrived))]
[JsonSerializable(typeof(AddressChanged))]
[JsonSerializable(typeof(Withdraw))]
[JsonSerializable(typeof(Remind))]
[JsonSerializable(typeof(GiveUp))]
[JsonSerializable(typeof(AskForPayment))]
[JsonSerializable(typeof(OrderPaid))]
internal sealed partial class SagasJson : JsonSerializerContext;

[MessagePackSerializable(typeof(OrderSaga))]
internal sealed partial class SagaStatesAsMessagePack : MessagePackContext;

internal static class SagaTestHandlers
{
    [Handler]
    public static void On(AskForPayment message, SagaLog log) => log.Add($"ask {message.Order} {message.Amount}");

    [Handler]
    public static void On(OrderPaid message, SagaLog log) => log.Add($"told {message.Order}");
}
