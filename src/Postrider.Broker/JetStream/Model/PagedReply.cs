using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>An answer that holds one page of a list.</summary>
internal class PagedReply : ApiReply
{
    /// <summary>Entries in all.</summary>
    [JsonPropertyName("total"), JsonPropertyOrder(-18)] public int Total { get; set; }

    /// <summary>The first entry of the page.</summary>
    [JsonPropertyName("offset"), JsonPropertyOrder(-17)] public long Offset { get; set; }

    /// <summary>The most entries of a page.</summary>
    [JsonPropertyName("limit"), JsonPropertyOrder(-16)] public int Limit { get; set; }
}
