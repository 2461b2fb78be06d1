using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using Postrider.Sagas;
using Postrider.Serialization;

namespace Postrider.OutboxTests.Harness;

internal sealed partial record SendParcel([property: SagaId] string Parcel) : ICommand;

internal sealed partial record ParcelWeighed([property: SagaId] string Parcel, int Grams, string? Fault = null) : ICommand;

internal sealed partial record ParcelLost([property: SagaId] string Parcel) : ICommand;

internal sealed partial record BillParcel(string Parcel, int Grams) : ICommand;

internal sealed class ParcelLog
{
    public ConcurrentQueue<string> Lines { get; } = new();

    public Func<string, Exception?>? Failing { get; set; }
}

[Saga]
internal sealed class ParcelSaga
{
    public static readonly TimeSpan Patience = TimeSpan.FromDays(14);

    public int Grams { get; set; }

    public int Weighed { get; set; }

    [StartsSaga]
    public void On(SendParcel message, SagaContext saga) => saga.SetTimeout(new ParcelLost(message.Parcel), Patience);

    [Handler]
    public void On(ParcelWeighed message, SagaContext saga, ParcelLog log)
    {
        Grams += message.Grams;
        Weighed++;
        log.Lines.Enqueue($"weighed {message.Grams}");
        saga.Send(new BillParcel(message.Parcel, Grams));
        if (log.Failing?.Invoke(message.Fault ?? "") is { } failure)
            throw failure;
    }

    [SagaTimeout]
    public void On(ParcelLost message, SagaContext saga, ParcelLog log)
    {
        log.Lines.Enqueue("lost");
        saga.Send(new BillParcel(message.Parcel, 0));
        saga.Complete();
    }
}

[JsonSerializable(typeof(ParcelSaga))]
[JsonSerializable(typeof(SendParcel))]
[JsonSerializable(typeof(ParcelWeighed))]
[JsonSerializable(typeof(ParcelLost))]
[JsonSerializable(typeof(BillParcel))]
internal sealed partial class ParcelsJson : JsonSerializerContext
{
    public static ISerializerProvider Provider => new JsonSerializerProvider(Default);
}

internal static class ParcelHandlers
{
    [Handler]
    public static void On(BillParcel message, ParcelLog log) => log.Lines.Enqueue($"bill {message.Parcel} {message.Grams}");
}
