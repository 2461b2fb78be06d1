using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Microsoft.Net.Http.Headers;

namespace Postrider.AspNetCore;

/// <summary>Constants of JSON bodies.</summary>
internal static class JsonBody
{
    public const string ContentType = "application/json";

    /// <summary>Whether a request has a JSON body in an encoding that .NET can read.</summary>
    public static bool IsIn(HttpRequest request)
    {
        if (!request.HasJsonContentType() || !MediaTypeHeaderValue.TryParse(request.ContentType, out var type))
            return false;
        if (type.Charset.Length == 0)
            return true;
        var charset = HeaderUtilities.RemoveQuotes(type.Charset);
        try
        {
            _ = Encoding.GetEncoding(charset.ToString());
        }
        catch (Exception unknown) when (unknown is ArgumentException or NotSupportedException)
        {
            return false;
        }

        // ASP.NET Core reads the body by this header, and does not know quoted names.
        type.Charset = charset;
        request.ContentType = type.ToString();
        return true;
    }
}

/// <summary>Reads and writes bodies of one type with the application's JSON options.</summary>
internal sealed class JsonBody<T>(JsonTypeInfo<T> type)
{
    public static JsonBody<T> For(IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        var options = routes.ServiceProvider.GetRequiredService<IOptions<JsonOptions>>().Value.SerializerOptions;
        return options.TryGetTypeInfo(typeof(T), out var type)
            ? new JsonBody<T>((JsonTypeInfo<T>)type)
            : throw new InvalidOperationException(
                $"The JSON options of the application do not know {typeof(T)}. Add a JsonSerializerContext that lists it: "
                + "builder.Services.ConfigureHttpJsonOptions(o => o.SerializerOptions.TypeInfoResolverChain.Insert(0, MessagesJson.Default)).");
    }

    /// <exception cref="BadHttpRequestException">The body is not JSON of this type: 400, or 415 for another content type.</exception>
    public async ValueTask<T> ReadAsync(HttpContext http)
    {
        if (!JsonBody.IsIn(http.Request))
            throw new BadHttpRequestException($"The content type is '{http.Request.ContentType}'. Supported: {JsonBody.ContentType}.", StatusCodes.Status415UnsupportedMediaType);
        try
        {
            return await http.Request.ReadFromJsonAsync(type, http.RequestAborted).ConfigureAwait(false)
                ?? throw new BadHttpRequestException("The body is null; it must be an object.");
        }
        catch (JsonException wrong)
        {
            throw new BadHttpRequestException(
                wrong.Path is { Length: > 1 } path ? $"The body is not a valid message at {path}." : "The body is not a valid message.", wrong);
        }
        catch (Exception wrong) when (wrong is FormatException or OverflowException or ArgumentException)
        {
            // The constructor of the message rejects its arguments.
            throw new BadHttpRequestException($"The body is not a valid message: {wrong.Message}", wrong);
        }
    }

    public Task WriteAsync(HttpContext http, T response) => http.Response.WriteAsJsonAsync(response, type, JsonBody.ContentType, http.RequestAborted);
}
