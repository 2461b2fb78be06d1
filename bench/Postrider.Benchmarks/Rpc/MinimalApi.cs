using System.Net.Http.Json;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc;

/// <summary>ASP.NET Core's minimal API with source-generated System.Text.Json, called by <see cref="HttpClient"/>.</summary>
internal sealed class MinimalApi(HttpClient http) : IEcho
{
    public async ValueTask<List<Small>> SmallAsync(List<Small> items)
    {
        using var response = await http.PostAsJsonAsync("/small", items, CodecJson.Default.SmallItems);
        return (await response.Content.ReadFromJsonAsync(CodecJson.Default.SmallItems))!;
    }

    public async ValueTask<List<Large>> LargeAsync(List<Large> items)
    {
        using var response = await http.PostAsJsonAsync("/large", items, CodecJson.Default.LargeItems);
        return (await response.Content.ReadFromJsonAsync(CodecJson.Default.LargeItems))!;
    }
}
