//! Conversions between JSON and Python data.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use serde_json::{Map as Object, Number, Value as Json};
use spoton::format::quotable;

/// Converts an argument to a non-negative integer, with a readable error.
pub fn natural<T: TryFrom<u64>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let number: Option<u64> = match value.extract() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
        Err(error) => return Err(error),
    };
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| {
        let written = quotable(&value.to_string());
        PyValueError::new_err(match written.starts_with('-') {
            true => format!("expected a whole number of at least 0, not {written}"),
            false => format!("{written} is too large"),
        })
    })
}

/// Like [`natural`], but accepts `None`.
pub fn natural_if_any<T: TryFrom<u64>>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { natural(value).map(Some) }
}

/// A target as text. The rule book's reader validates it.
pub fn target(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    match value.extract::<i64>() {
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => Err(error),
        Err(_) => Ok(Some(value.str()?.to_str()?.to_owned())),
        Ok(target) => Ok(Some(target.to_string())),
    }
}

/// Converts an answer to Python data. Keys keep their order.
pub fn answer<'py>(py: Python<'py>, answer: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, &to_value(answer)?)
}

/// An answer as JSON.
pub fn to_value(answer: &impl Serialize) -> PyResult<Json> {
    serde_json::to_value(answer).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Converts JSON to Python data. Keys keep their order.
pub fn to_python<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Json::Object(keys) => {
            let dict = PyDict::new(py);
            for (key, value) in keys {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Maximum nesting depth; no rule book or record is deeper.
const DEEPEST: u8 = 16;

/// Converts Python data to JSON.
pub fn to_json(value: &Bound<'_, PyAny>) -> PyResult<Json> {
    nested(value, 0)
}

fn nested(value: &Bound<'_, PyAny>, depth: u8) -> PyResult<Json> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("the data is nested too deeply"));
    }
    let below = |item: &Bound<'_, PyAny>| nested(item, depth + 1);
    if value.is_none() {
        Ok(Json::Null)
    } else if let Ok(truth) = value.cast::<PyBool>() {
        Ok(truth.is_true().into())
    } else if let Ok(text) = value.cast::<PyString>() {
        Ok(text.to_str()?.into())
    } else if value.cast::<PyInt>().is_ok() {
        // Numbers beyond 64 bits become text, so that the reader's error can quote them.
        Ok(value
            .extract::<i64>()
            .map_or_else(|_| value.str().map(|text| text.to_string().into()), |n| Ok(n.into()))?)
    } else if let Ok(number) = value.cast::<PyFloat>() {
        let number = Number::from_f64(number.value());
        number.map(Json::Number).ok_or_else(|| PyTypeError::new_err("numbers must be finite"))
    } else if let Ok(items) = value.cast::<PyList>() {
        items.iter().map(|item| below(&item)).collect()
    } else if let Ok(items) = value.cast::<PyTuple>() {
        items.iter().map(|item| below(&item)).collect()
    } else if let Ok(keys) = value.cast::<PyDict>() {
        let pair = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.cast::<PyString>()?.to_string(), below(&value)?))
        };
        let pairs: PyResult<Object<String, Json>> = keys.iter().map(pair).collect();
        Ok(Json::Object(pairs?))
    } else {
        let kind = value.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected text, a number, a list or a dictionary, not {kind}")))
    }
}
