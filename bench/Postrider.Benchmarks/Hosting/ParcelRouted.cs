using System.Text.Json.Serialization;

namespace Postrider.Benchmarks.Hosting;

/// <summary>What is routed.</summary>
/// <param name="Number">A number.</param>
/// <param name="Item">A text.</param>
public sealed partial record ParcelRouted(int Number, string Item) : INotification;

[JsonSerializable(typeof(ParcelRouted))]
internal sealed partial class HostingJson : JsonSerializerContext;
