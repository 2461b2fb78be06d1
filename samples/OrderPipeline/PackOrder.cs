using System.Text.Json.Serialization;
using Postrider.Middleware;

namespace Postrider.Samples.OrderPipeline;

/// <summary>An order that somebody has to pack. Its id makes it one order however often it is sent.</summary>
public sealed partial record PackOrder(string Id, string Item, int Quantity) : ICommand, IIdempotent
{
    [JsonIgnore] public string IdempotencyKey => Id;
}
