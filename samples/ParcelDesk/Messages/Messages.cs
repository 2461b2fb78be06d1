using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Authorization;
using Postrider;
using Postrider.Middleware;
using Postrider.Rpc;

namespace ParcelDesk;

/// <summary>A parcel is handed in at the desk.</summary>
public sealed partial record AcceptParcel(string To, double Kilograms) : ICommand<Receipt>;

/// <summary>The receipt for the sender.</summary>
public sealed record Receipt(string Number);

/// <summary>A parcel was accepted; the worker receives this through a stream.</summary>
public sealed partial record ParcelAccepted(string Number, string To, double Kilograms) : INotification, IIdempotent
{
    /// <summary>A parcel is accepted once, however often the message is sent.</summary>
    [JsonIgnore] public string IdempotencyKey => Number;
}

/// <summary>The prices of parcels, which the worker requests from the web application.</summary>
[Service("rates")]
public interface IRates
{
    /// <summary>The price in cents.</summary>
    [Authorize]
    ValueTask<int> PriceAsync(string to, double kilograms, CancellationToken ct = default);
}

/// <summary>The types that are serialized.</summary>
[JsonSourceGenerationOptions(System.Text.Json.JsonSerializerDefaults.Web, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(AcceptParcel))]
[JsonSerializable(typeof(Receipt))]
[JsonSerializable(typeof(ParcelAccepted))]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(double))]
[JsonSerializable(typeof(int))]
public sealed partial class ParcelsJson : JsonSerializerContext;
