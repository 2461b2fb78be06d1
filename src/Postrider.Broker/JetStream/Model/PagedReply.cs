using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A response with one page of a list.</summary>
internal class PagedReply : ApiReply
{
    /// <summary>The total number of entries.</summary>
    [JsonPropertyName("total"), JsonPropertyOrder(-18)] public int Total { get; set; }

    /// <summary>The index of the page's first entry.</summary>
    [JsonPropertyName("offset"), JsonPropertyOrder(-17)] public long Offset { get; set; }

    /// <summary>Maximum number of entries of a page.</summary>
    [JsonPropertyName("limit"), JsonPropertyOrder(-16)] public int Limit { get; set; }
}
