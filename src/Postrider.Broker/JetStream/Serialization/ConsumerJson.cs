using System.Text.Json;
using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Serialization;

/// <summary>The JSON of the consumer API.</summary>
[JsonSourceGenerationOptions(
    PropertyNameCaseInsensitive = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    Converters =
    [
        typeof(NanosecondsConverter), typeof(Rfc3339Converter), typeof(MomentConverter), typeof(AbsentInt32Converter), typeof(AbsentInt64Converter),
        typeof(AbsentUInt64Converter), typeof(AbsentBooleanConverter), typeof(TextListConverter), typeof(TextArrayConverter), typeof(TextMapConverter),
    ])]
[JsonSerializable(typeof(ConsumerCreateRequest))]
[JsonSerializable(typeof(ConsumerMetadata))]
[JsonSerializable(typeof(ConsumerInfoReply))]
[JsonSerializable(typeof(ConsumerPageRequest))]
[JsonSerializable(typeof(ConsumerNamesReply))]
[JsonSerializable(typeof(ConsumerListReply))]
[JsonSerializable(typeof(ConsumerPauseRequest))]
[JsonSerializable(typeof(ConsumerPauseReply))]
[JsonSerializable(typeof(ConsumerResetRequest))]
[JsonSerializable(typeof(ConsumerUnpinRequest))]
[JsonSerializable(typeof(ConsumerAdvisory))]
[JsonSerializable(typeof(ConsumerSnapshot))]
[JsonSerializable(typeof(ConsumerInfo))]
internal sealed partial class ConsumerJson : JsonSerializerContext
{
    private static ConsumerJson? _lenient;

    /// <summary>The same JSON, read without rejecting unknown members.</summary>
    public static ConsumerJson Lenient
        => _lenient ??= new ConsumerJson(new JsonSerializerOptions(Default.Options) { UnmappedMemberHandling = JsonUnmappedMemberHandling.Skip });
}
