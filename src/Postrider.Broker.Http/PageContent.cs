using System.Text;
using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>A monitoring page as it is answered.</summary>
/// <param name="Status">The status code of HTTP.</param>
/// <param name="Type">The content type.</param>
/// <param name="Bytes">The body. JSON has one member per line, except that of <c>/healthz</c>.</param>
internal readonly record struct PageContent(int Status, string Type, byte[] Bytes)
{
    internal const string PlainText = "text/plain; charset=utf-8";

    private const string Json = "application/json";

    /// <summary>Whether the body is JSON.</summary>
    internal bool IsJson => ReferenceEquals(Type, Json);

    /// <summary>A page of JSON.</summary>
    internal static PageContent OfJson(byte[] json, int status = StatusCodes.Status200OK) => new(status, Json, json);

    /// <summary>A page of text.</summary>
    internal static PageContent OfText(string text, int status = StatusCodes.Status200OK, string type = PlainText) => new(status, type, Encoding.UTF8.GetBytes(text));
}
