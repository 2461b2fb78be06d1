using System.Text.Json.Serialization;
using Postrider.Middleware;

namespace Postrider.Samples.OrderPipeline;

/// <summary>An order to be packed. Because of its id it is one order, however often it is sent.</summary>
public sealed partial record PackOrder(string Id, string Item, int Quantity) : ICommand, IIdempotent
{
    [JsonIgnore] public string IdempotencyKey => Id;
}
