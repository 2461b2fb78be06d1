using System.Net.Http.Json;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc;

/// <summary>MVC's controllers with System.Text.Json as it comes, called by <see cref="HttpClient"/>.</summary>
internal sealed class MvcJson(HttpClient http) : IEcho
{
    public ValueTask<List<Small>> SmallAsync(List<Small> items) => CallAsync("/mvc/small", items);

    public ValueTask<List<Large>> LargeAsync(List<Large> items) => CallAsync("/mvc/large", items);

    private async ValueTask<List<T>> CallAsync<T>(string path, List<T> items)
    {
        using var response = await http.PostAsJsonAsync(path, items);
        return (await response.Content.ReadFromJsonAsync<List<T>>())!;
    }
}
