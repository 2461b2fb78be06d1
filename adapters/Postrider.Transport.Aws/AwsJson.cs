using System.Text.Json.Serialization;

namespace Postrider.Transport.Aws;

/// <summary>The JSON of this adapter that is not written by hand.</summary>
[JsonSerializable(typeof(string[]))]
internal sealed partial class AwsJson : JsonSerializerContext;
